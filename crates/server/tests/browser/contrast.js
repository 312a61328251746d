// Every text on the screen whose contrast is below what WCAG 2 asks for at level AA: 4.5, or 3 for large text.
// Runs inside the page and returns a list of `text (ratio): element`.
const canvas = document.createElement('canvas');
canvas.width = canvas.height = 1;
const pen = canvas.getContext('2d', { willReadFrequently: true });
/** Any CSS colour as red, green, blue from 0 to 255 and opacity from 0 to 1. */
const channels = (colour) => {
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
};
const over = ([r, g, b, a], [br, bg, bb]) => [r * a + br * (1 - a), g * a + bg * (1 - a), b * a + bb * (1 - a), 1];
const luminance = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
/** What lies behind an element: the colours of its ancestors, the nearest on top. */
const ground = (element) => {
  const layers = [];
  for (let at = element; at !== null; at = at.parentElement) layers.unshift(channels(getComputedStyle(at).backgroundColor));
  return layers.reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
};
const opacity = (element) => {
  let value = 1;
  for (let at = element; at !== null; at = at.parentElement) value *= Number(getComputedStyle(at).opacity);
  return value;
};
const isText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '');
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && element.closest('.visually-hidden, .skip-link, option') === null;
const poor = [];
// What cannot be used may be pale, and what fades away is read before it has faded.
for (const element of document.querySelectorAll('body *:not(svg *, :disabled, :disabled *, .score-gain *)')) {
  if (!isText(element) || !isSeen(element)) continue;
  const style = getComputedStyle(element);
  const behind = ground(element);
  const [r, g, b, a] = channels(style.color);
  const ink = over([r, g, b, a * opacity(element)], behind);
  const [light, dark] = [luminance(ink), luminance(behind)].sort((x, y) => y - x);
  const ratio = (light + 0.05) / (dark + 0.05);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio < (isLarge ? 3 : 4.5)) poor.push(`${element.textContent.trim().slice(0, 30)} (${ratio.toFixed(2)}): ${element.tagName.toLowerCase()}.${element.className}`);
}
return poor;

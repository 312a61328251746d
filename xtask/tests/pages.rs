//! The documents: every link leads somewhere, and no link has lost its other half.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use pulldown_cmark::{BrokenLink, Event, Options, Parser, Tag, TagEnd};

/// One document: the anchors that it offers, and the links that it follows.
#[derive(Default)]
struct Page {
    anchors: BTreeSet<String>,
    links: Vec<String>,
    /// References to documents that lead nowhere, `[page.md]` without an address behind it.
    halves: Vec<String>,
}

impl Page {
    fn read(text: &str) -> Self {
        let mut page = Self::default();
        let mut halves = Vec::new();
        let mut half = |link: BrokenLink<'_>| {
            if link.reference.ends_with(".md") {
                halves.push(link.reference.to_string());
            }
            None
        };
        let mut heading: Option<String> = None;
        for event in Parser::new_with_broken_link_callback(text, Options::ENABLE_TABLES, Some(&mut half)) {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => page.offer(&heading.take().unwrap_or_default()),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.to_string());
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        page.halves = halves;
        page
    }

    /// The anchor of a heading, as GitHub makes it: a second one of the same words is numbered.
    fn offer(&mut self, heading: &str) {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let words: String = heading.to_lowercase().chars().filter(kept).collect();
        let anchor = words.replace(' ', "-");
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(numbered).find(|anchor| !self.anchors.contains(anchor));
        self.anchors.extend(free);
    }
}

fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().expect("this crate");
    xtask.parent().expect("the workspace").to_owned()
}

/// The documents that belong to the project.
fn pages() -> BTreeMap<PathBuf, Page> {
    let listed =
        Command::new("git").args(["ls-files", "*.md"]).current_dir(root()).output().expect("git lists the documents");
    let names = String::from_utf8(listed.stdout).expect("names in UTF-8");
    let read = |name: &str| {
        let path = root().join(name);
        let text = std::fs::read_to_string(&path).expect("a document that can be read");
        (path, Page::read(&text))
    };
    names.lines().map(read).collect()
}

/// Why a link leads nowhere, or `None` if it leads somewhere, here or elsewhere.
fn fault(pages: &BTreeMap<PathBuf, Page>, from: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let target = match file {
        "" => from.to_owned(),
        file => from.parent().expect("a folder").join(file),
    };
    let Ok(target) = target.canonicalize() else { return Some("there is no such file".to_owned()) };
    let anchor = anchor?;
    let page = pages.get(&target)?;
    (!page.anchors.contains(anchor)).then(|| format!("there is no heading `{anchor}` in it"))
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    assert!(pages.len() > 10, "the documents were not found");
    let mut faults = Vec::new();
    for (path, page) in &pages {
        let links = page.links.iter().filter_map(|link| Some((link, fault(&pages, path, link)?)));
        faults.extend(links.map(|(link, fault)| format!("{}: {link}: {fault}", path.display())));
        faults.extend(page.halves.iter().map(|half| format!("{}: [{half}] has no address", path.display())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_page_is_read_as_it_is_shown() {
    let page = Page::read(
        "# One `two`: three\n## Again\n## Again\n[a](b.md#again-1) ![c](d.png) `[e](f.md)`\n\nlost ([g.md]its tail)\n",
    );
    assert_eq!(page.anchors, ["again", "again-1", "one-two-three"].map(str::to_owned).into());
    assert_eq!(page.links, ["b.md#again-1", "d.png"]);
    assert_eq!(page.halves, ["g.md"]);
}

//! A browser that looks at a server of its own, and the hands of the person before it.

use std::time::{Duration, Instant};

use afterstate_drive::Browser;
use serde_json::{Value, json};
use thirtyfour::Key;
use thirtyfour::error::{WebDriverErrorInner, WebDriverResult};

use crate::common::{PATIENCE, TestServer};

/// Between two looks at the page.
const GLANCE: Duration = Duration::from_millis(30);
const WINDOW: (u32, u32) = (1280, 900);

pub(crate) struct Screen {
    pub(crate) server: TestServer,
    pub(crate) browser: Browser,
}

impl Screen {
    pub(crate) async fn new(browser: Browser) -> Self {
        let server = TestServer::start().await;
        Self { server, browser }
    }

    /// Gives the browser back as it was: one tab, the usual size, no page.
    pub(crate) async fn clear(self) -> Browser {
        let Self { server, browser } = self;
        let tabs = browser.windows().await.unwrap();
        for tab in &tabs[1..] {
            browser.switch_to_window(tab.clone()).await.unwrap();
            browser.close_window().await.unwrap();
        }
        browser.switch_to_window(tabs[0].clone()).await.unwrap();
        browser.set_window_rect(0, 0, WINDOW.0, WINDOW.1).await.unwrap();
        browser.goto("about:blank").await.unwrap();
        server.stop().await;
        browser
    }

    pub(crate) async fn close(self) {
        self.browser.close().await;
        self.server.stop().await;
    }

    /// The page must not have complained.
    pub(crate) async fn check_faults(&self) {
        assert_eq!(self.script("return window.__faults ?? []").await, json!([]), "the page complains");
    }

    /// Opens a path of the page.
    pub(crate) async fn go(&self, path: &str) {
        self.browser.goto(format!("http://{}{path}", self.server.address)).await.unwrap();
    }

    /// Runs a script in the page.
    pub(crate) async fn script(&self, script: &str) -> Value {
        self.try_script(script).await.unwrap_or_else(|error| panic!("{error}\nin {script}"))
    }

    async fn try_script(&self, script: &str) -> WebDriverResult<Value> {
        Ok(self.browser.execute(script, Vec::new()).await?.json().clone())
    }

    /// Waits until an expression is true in the page, and returns its value. One that cannot be computed yet, because
    /// an element is not there, is not true yet.
    pub(crate) async fn until(&self, expression: &str) -> Value {
        let started = Instant::now();
        loop {
            let value = self.try_script(&format!("return {expression}")).await;
            match &value {
                Ok(Value::Null | Value::Bool(false)) | Err(_) => {}
                Ok(value) if *value == json!(0) || *value == json!("") => {}
                Ok(value) => return value.clone(),
            }
            assert!(started.elapsed() < PATIENCE, "never true: {expression}; it is {value:?}");
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Waits until an expression has a value.
    pub(crate) async fn settles(&self, expression: &str, expected: &Value, context: &str) {
        let started = Instant::now();
        loop {
            let value = self.try_script(&format!("return {expression}")).await;
            if value.as_ref().is_ok_and(|value| value == expected) {
                return;
            }
            assert!(started.elapsed() < PATIENCE, "{context}: {value:?} instead of {expected}");
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Waits until so many elements match.
    pub(crate) async fn count(&self, selector: &str, count: usize) {
        self.until(&format!("document.querySelectorAll({}).length === {count}", json!(selector))).await;
    }

    /// Waits until an element matches.
    pub(crate) async fn sees(&self, selector: &str) {
        self.until(&format!("document.querySelector({}) !== null", json!(selector))).await;
    }

    pub(crate) async fn click(&self, selector: &str) {
        self.click_found(&format!("document.querySelector({})", json!(selector))).await;
    }

    /// Clicks the button or link with this text on the screen or in a dialog.
    pub(crate) async fn press(&self, label: &str) {
        let label = json!(label);
        self.click_found(&format!(
            "[...document.querySelectorAll('main button, main a, dialog button')].find((b) => !b.closest('[hidden]') && !b.disabled && \
             (b.textContent.trim() === {label} || b.getAttribute('aria-label') === {label}))"
        ))
        .await;
    }

    /// Clicks the element that an expression finds, as soon as it is there and nothing lies over it.
    async fn click_found(&self, expression: &str) {
        let started = Instant::now();
        loop {
            // To the middle, where nothing that stays on top can lie over it.
            let script = format!(
                "const e = {expression}; e?.scrollIntoView({{ block: 'center', behavior: 'instant' }}); return e"
            );
            let clicked = match self.browser.execute(script, Vec::new()).await {
                Ok(found) => match found.element() {
                    Ok(element) => element.click().await,
                    Err(error) => Err(error),
                },
                Err(error) => Err(error),
            };
            let Err(error) = clicked else { return };
            let may_pass = matches!(
                &*error,
                WebDriverErrorInner::StaleElementReference(_)
                    | WebDriverErrorInner::ElementClickIntercepted(_)
                    | WebDriverErrorInner::ElementNotInteractable(_)
                    | WebDriverErrorInner::Json(_)
                    | WebDriverErrorInner::JavascriptError(_)
            );
            assert!(may_pass && started.elapsed() < PATIENCE, "cannot click {expression}: {error}");
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Presses keys wherever the focus is.
    pub(crate) async fn keys(&self, keys: &[Key]) {
        let mut chain = self.browser.action_chain_with_delay(Some(Duration::ZERO), Some(Duration::ZERO));
        for key in keys {
            chain = chain.key_down(key.clone()).key_up(key.clone());
        }
        chain.perform().await.unwrap();
    }

    /// Types letters wherever the focus is.
    pub(crate) async fn letters(&self, letters: &str) {
        let chain = self.browser.action_chain_with_delay(Some(Duration::ZERO), Some(Duration::ZERO));
        chain.send_keys(letters).perform().await.unwrap();
    }

    /// The text of an element.
    pub(crate) async fn text(&self, selector: &str) -> String {
        let text = self.until(&format!("[document.querySelector({}).textContent.trim()]", json!(selector))).await;
        text[0].as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an element shows a text.
    pub(crate) async fn shows(&self, selector: &str, text: &str) {
        let (selector, text) = (json!(selector), json!(text));
        self.until(&format!("document.querySelector({selector}).textContent.includes({text})")).await;
    }

    /// Puts a text into a field, as typing and leaving it would.
    pub(crate) async fn fill(&self, selector: &str, text: &str) {
        self.sees(selector).await;
        let (selector, text) = (json!(selector), json!(text));
        self.script(&format!(
            "const f = document.querySelector({selector}); f.value = {text}; \
             for (const kind of ['input', 'change']) f.dispatchEvent(new Event(kind, {{ bubbles: true }}))"
        ))
        .await;
    }

    /// Chooses an agent by its spec, as a person would write it.
    pub(crate) async fn choose_agent(&self, picker: &str, spec: &str) {
        self.fill(&format!("{picker} select"), "\0own").await;
        self.fill(&format!("{picker} input"), spec).await;
        // Keys go to the page again.
        self.script("document.activeElement.blur()").await;
    }

    /// The middle of an element on the screen.
    pub(crate) async fn middle(&self, selector: &str) -> (i64, i64) {
        self.sees(selector).await;
        let script = format!(
            "const e = document.querySelector({}); e.scrollIntoView({{ block: 'nearest' }}); \
             const b = e.getBoundingClientRect(); return [Math.round(b.x + b.width / 2), Math.round(b.y + b.height / 2)]",
            json!(selector)
        );
        let place = self.script(&script).await;
        (place[0].as_i64().unwrap(), place[1].as_i64().unwrap())
    }

    /// Presses the mouse on one element and lets go on another, or clicks where both are the same.
    pub(crate) async fn drag(&self, from: &str, to: &str) {
        let ((x, y), (to_x, to_y)) = (self.middle(from).await, self.middle(to).await);
        let chain = self.browser.action_chain_with_delay(Some(Duration::ZERO), Some(Duration::ZERO));
        let mut chain = chain.move_to(x, y).click_and_hold();
        if (x, y) != (to_x, to_y) {
            chain = chain.move_to(i64::midpoint(x, to_x), i64::midpoint(y, to_y)).move_to(to_x, to_y);
        }
        chain.release().perform().await.unwrap();
    }
}

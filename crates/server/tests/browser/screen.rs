//! A browser that looks at a server of its own.

use std::time::Duration;

use afterstate_drive::{Browser, BrowserKind, Window};
use afterstate_server::Settings;
use serde_json::{Value, json};
use thirtyfour::error::WebDriverResult;
use thirtyfour::{By, Key, WebElement};

use crate::common::{PATIENCE, TestServer};

pub(crate) struct Screen {
    pub(crate) server: TestServer,
    pub(crate) browser: Browser,
}

impl Screen {
    /// Opens the page at a path, or nothing where there is no browser.
    pub(crate) async fn open(path: &str) -> Option<Self> {
        Self::open_with(Settings::default(), path).await
    }

    pub(crate) async fn open_with(settings: Settings, path: &str) -> Option<Self> {
        let browser = match Browser::open(BrowserKind::Chrome, Window::Headless).await {
            Ok(browser) => browser,
            Err(error) => {
                assert!(std::env::var_os("AFTERSTATE_NEEDS_BROWSER").is_none(), "{error}");
                eprintln!("SKIPPED: {error}");
                return None;
            }
        };
        let server = TestServer::with(settings).await;
        let screen = Self { server, browser };
        screen.go(path).await;
        Some(screen)
    }

    pub(crate) async fn go(&self, path: &str) {
        self.browser.goto(format!("http://{}{path}", self.server.address)).await.expect("the page loads");
    }

    /// Ends the test: the page must not have complained.
    pub(crate) async fn close(self) {
        let faults = self.script("return window.__faults ?? []").await;
        assert_eq!(faults, json!([]), "the page complains");
        self.browser.close().await;
        self.server.stop().await;
    }

    /// Runs a script in the page.
    pub(crate) async fn script(&self, script: &str) -> Value {
        self.browser.execute(script, Vec::new()).await.expect("the script runs").json().clone()
    }

    /// Waits until a script gives a true value, and returns it.
    pub(crate) async fn until(&self, script: &str) -> Value {
        let started = std::time::Instant::now();
        loop {
            let value = self.script(script).await;
            if !matches!(value, Value::Null | Value::Bool(false)) && value != json!(0) && value != json!("") {
                return value;
            }
            assert!(started.elapsed() < PATIENCE, "never true: {script}");
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    }

    pub(crate) async fn find(&self, selector: &str) -> WebElement {
        self.until(&format!("return document.querySelector({}) !== null", json!(selector))).await;
        self.browser.find(By::Css(selector)).await.expect("it is there")
    }

    pub(crate) async fn click(&self, selector: &str) {
        self.find(selector).await.click().await.expect("it can be clicked");
    }

    /// Clicks the button with this text.
    pub(crate) async fn press(&self, label: &str) {
        let button = format!(
            "return [...document.querySelectorAll('button, a')].find((b) => !b.closest('[hidden]') && \
             (b.textContent.trim() === {0} || b.getAttribute('aria-label') === {0}))",
            json!(label)
        );
        self.until(&format!("{button} !== undefined")).await;
        let found = self.browser.execute(button, Vec::new()).await.expect("the script runs");
        found.element().expect("a button").click().await.expect("it can be clicked");
    }

    /// Presses keys wherever the focus is.
    pub(crate) async fn keys(&self, keys: &[Key]) {
        let mut chain = self.browser.action_chain_with_delay(Some(Duration::from_millis(10)), Some(Duration::ZERO));
        for key in keys {
            chain = chain.key_down(key.clone()).key_up(key.clone());
        }
        chain.perform().await.expect("the keys are pressed");
    }

    /// Types letters wherever the focus is.
    pub(crate) async fn letters(&self, letters: &str) {
        self.browser
            .action_chain_with_delay(Some(Duration::from_millis(10)), Some(Duration::ZERO))
            .send_keys(letters)
            .perform()
            .await
            .expect("they are typed");
    }

    /// The text of an element.
    pub(crate) async fn text(&self, selector: &str) -> String {
        self.find(selector).await.text().await.expect("it has text")
    }

    /// Chooses an agent by its spec, as a person would write it.
    pub(crate) async fn choose_agent(&self, picker: &str, spec: &str) {
        let script = format!(
            "const p = document.querySelector({}); const s = p.querySelector('select'); s.value = '\\u0000own'; \
             s.dispatchEvent(new Event('change')); const i = p.querySelector('input'); i.value = {}; \
             i.dispatchEvent(new Event('change')); return true",
            json!(picker),
            json!(spec)
        );
        self.until(&format!("return document.querySelector({}) !== null", json!(picker))).await;
        self.script(&script).await;
    }

    /// The tiles as the original's markup tells them.
    pub(crate) async fn tiles(&self) -> String {
        self.script(
            "return [...document.querySelectorAll('.board2048 table td')].map((c) => Number(c.textContent) || 0).join(' ')",
        )
        .await
        .as_str()
        .unwrap_or_default()
        .to_owned()
    }

    /// The middle of an element on the screen.
    pub(crate) async fn middle(&self, selector: &str) -> (i64, i64) {
        let script = format!(
            "const b = document.querySelector({}).getBoundingClientRect(); \
             return [Math.round(b.x + b.width / 2), Math.round(b.y + b.height / 2)]",
            json!(selector)
        );
        let place = self.script(&script).await;
        (place[0].as_i64().unwrap_or(0), place[1].as_i64().unwrap_or(0))
    }

    /// Drags from one element to another, or clicks where both are the same.
    pub(crate) async fn drag(&self, from: &str, to: &str) -> WebDriverResult<()> {
        let ((x, y), (to_x, to_y)) = (self.middle(from).await, self.middle(to).await);
        let chain = self.browser.action_chain().move_to(x, y).click_and_hold();
        let chain = if (x, y) == (to_x, to_y) {
            chain
        } else {
            chain.move_to((x + to_x) / 2, (y + to_y) / 2).move_to(to_x, to_y)
        };
        chain.release().perform().await
    }
}

//! Running the tests: one browser, one test at a time, a picture of the page where one fails.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::Path;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use afterstate_drive::{Browser, BrowserKind, Window};
use futures_util::FutureExt;
use libtest_mimic::{Arguments, Trial};
use tokio::runtime::Runtime;

use crate::screen::Screen;

/// A test: what it is called and what it does with the screen.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) test: for<'a> fn(&'a mut Screen) -> Pin<Box<dyn Future<Output = ()> + 'a>>,
}

/// The tests of a module, by the names of their functions.
macro_rules! cases {
    ($($test:ident),+ $(,)?) => {
        pub(crate) fn cases() -> Vec<crate::stage::Case> {
            vec![$(crate::stage::Case { name: stringify!($test), test: |screen| Box::pin($test(screen)) }),+]
        }
    };
}
pub(crate) use cases;

/// Where pictures of failures go.
const PICTURES: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/browser-failures");

/// Runs the tests that the arguments ask for.
pub(crate) fn run(cases: impl Iterator<Item = Case>) -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let stage = Arc::new(Stage { runtime: Runtime::new().unwrap(), browser: Mutex::new(None) });
    let trials = cases.map(|Case { name, test }| {
        let stage = Arc::clone(&stage);
        let trial = move || {
            stage.play(name, test);
            Ok(())
        };
        Trial::test(name, trial).with_ignored_flag(true)
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    stage.close();
    conclusion.exit_code()
}

struct Stage {
    runtime: Runtime,
    browser: Mutex<Option<Browser>>,
}

impl Stage {
    fn play(&self, name: &str, test: for<'a> fn(&'a mut Screen) -> Pin<Box<dyn Future<Output = ()> + 'a>>) {
        let mut kept = self.browser.lock().unwrap_or_else(PoisonError::into_inner);
        self.runtime.block_on(async {
            let browser = match kept.take() {
                Some(browser) => browser,
                None => Browser::open(BrowserKind::Chrome, Window::Headless).await.unwrap(),
            };
            let mut screen = Screen::new(browser).await;
            let played = AssertUnwindSafe(async {
                test(&mut screen).await;
                screen.check_faults().await;
            });
            match played.catch_unwind().await {
                Ok(()) => *kept = Some(screen.clear().await),
                Err(panic) => {
                    // Whatever state the browser is in, the next test gets a new one.
                    let picture = Path::new(PICTURES).join(format!("{name}.png"));
                    let _ = std::fs::create_dir_all(PICTURES);
                    if screen.browser.screenshot(&picture).await.is_ok() {
                        eprintln!("{name}: the page at the end: {}", picture.display());
                    }
                    screen.close().await;
                    resume_unwind(panic);
                }
            }
        });
    }

    fn close(&self) {
        let browser = self.browser.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(browser) = browser {
            self.runtime.block_on(browser.close());
        }
    }
}

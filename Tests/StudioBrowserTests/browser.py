"""A headless Chromium, and a page in it that tests read and use as a person does: by roles and accessible names."""

import base64
import itertools
import os
import re
import shutil
from urllib.parse import quote

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import pictures
from tool import BUILD, wait_until

AXE = next((BUILD / "venv").glob("lib/python*/site-packages/axe_playwright_python/axe.min.js"), None)
WIDTH, HEIGHT = 1280, 900

# Notes what must never happen, before any script of the page runs.
WATCH = """
window.__trouble = [];
addEventListener('securitypolicyviolation', (event) => __trouble.push(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
addEventListener('error', (event) => __trouble.push(`error: ${event.message}`));
addEventListener('unhandledrejection', (event) => __trouble.push(`rejection: ${event.reason}`));
for (const name of ['alert', 'confirm', 'prompt', 'print']) window[name] = (text) => { __trouble.push(`${name}: ${text}`); };
"""

# Elements that people use and that lie outside of the window where nothing scrolls them into it.
CUT = """
const cut = [];
const scrolls = (element) => {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowX)) return true;
  }
  return false;
};
for (const element of document.querySelectorAll('a, button, input, select, textarea, summary, h1, h2, h3, p, dt, dd, label')) {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.closest('.visually-hidden, .skip-link, svg')) continue;
  const box = element.getBoundingClientRect();
  if (box.width < 2 || box.height < 2) continue;
  if ((box.right > innerWidth + 1 || box.left < -1) && !scrolls(element)) cut.push(`${element.outerHTML.slice(0, 120)} at ${Math.round(box.left)}–${Math.round(box.right)}`);
  const style = getComputedStyle(element);
  if (/^(A|BUTTON|H1|H2|H3|LABEL)$/.test(element.tagName) && style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis'
    && element.scrollWidth > element.clientWidth + 1) cut.push(`${element.outerHTML.slice(0, 120)} is cut`);
}
return cut;
"""


# Makes requests slow: they wait until the test lets go of them, before they reach the server or after it has answered.
HOLD = """
const fetchNow = window.fetch;
window.__held = [];
const [path, isAnswered] = arguments;
window.fetch = async (address, options) => {
  const wait = async () => {
    if (window.__held && new URL(address, location).pathname === `/api/v1${path}`) await new Promise((resolve) => __held.push(resolve));
  };
  if (!isAnswered) await wait();
  const response = await fetchNow(address, options);
  if (isAnswered) await wait();
  return response;
};
window.__release = () => {
  const held = window.__held;
  window.__held = null;
  for (const resolve of held) resolve();
};
"""


class Browser:
    """One Chromium for all tests."""

    def __init__(self, downloads):
        options = Options()
        options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
        for switch in [
            "--headless=new", f"--window-size={WIDTH},{HEIGHT}", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-sync", "--disable-default-apps",
            "--force-color-profile=srgb", "--lang=en-GB", "--no-default-browser-check", "--disable-features=Translate,MediaRouter",
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
        ]:
            options.add_argument(switch)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.downloads = downloads
        self.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.cdp("Emulation.setTimezoneOverride", timezoneId="Europe/Berlin")
        self.cdp("Emulation.setLocaleOverride", locale="en-GB")

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def quit(self):
        self.driver.quit()


class Page:
    """The page that is open."""

    _marks = itertools.count()

    def __init__(self, browser, is_recording=False):
        self.browser, self.driver, self.cdp = browser, browser.driver, browser.cdp
        self.is_recording = is_recording
        self.allowed = []
        self.server = None
        self.shots = BUILD / "screenshots"
        self.shots.mkdir(parents=True, exist_ok=True)

    def reset(self):
        self.driver.get("about:blank")
        self.resize()
        self.cdp("Emulation.setEmulatedMedia", features=[])
        self.driver.get_log("browser")

    # Going somewhere

    def open(self, server, fragment="#/overview", keeps_storage=False):
        """Opens the page of a server with the token, at a fragment."""
        self.server = server
        # The page before must be gone: without cookies it could not load the rest of itself.
        if self.driver.current_url != "about:blank":
            self.driver.get("about:blank")
        if not keeps_storage:
            self.cdp("Storage.clearDataForOrigin", origin=server.origin, storageTypes="local_storage")
            self.cdp("Network.clearBrowserCookies")
        self.driver.get(server.url + fragment)
        return self.ready()

    def go(self, fragment):
        """Follows a link to another fragment."""
        self.js("location.hash = arguments[0]", fragment)
        return self.ready()

    def ready(self):
        """Waits until the page has loaded what it shows."""
        self.until(lambda: self.js(
            "return document.readyState === 'complete' && !document.querySelector('#main .skeleton, #main [aria-busy=true]')"
            " && !/^Loading/.test(document.querySelector('#main h1')?.textContent ?? 'Loading')"), "the page has loaded", 20)
        return self

    def live(self):
        """Waits until the page follows the store."""
        self.until(lambda: self.js("return document.querySelector('.live')?.dataset.state") == "live", "the page is live")
        return self

    @property
    def hash(self):
        return self.js("return location.hash")

    # Looking

    def js(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def until(self, condition, what, seconds=8):
        def attempt():
            try:
                return condition()
            except StaleElementReferenceException:
                return None
        return wait_until(attempt, what, seconds)

    def css(self, selector):
        found = self.driver.find_elements(By.CSS_SELECTOR, selector)
        assert found, f"Expected an element '{selector}' in:\n{self.text()[:1500]}"
        return found[0]

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector="#main"):
        """The text that people see. The direction marks of the page are kept."""
        return self.js("return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText).join('\\n')", selector)

    def sees(self, text, selector="#main", seconds=8):
        """Waits until a text is seen."""
        self.until(lambda: text in self.text(selector), lambda: f"'{text}' is seen in '{selector}', which says:\n{self.text(selector)[:2000]}", seconds)
        return self

    def sees_not(self, text, selector="#main", seconds=8):
        self.until(lambda: text not in self.text(selector), f"'{text}' is no longer seen", seconds)
        return self

    def heading(self):
        return self.text("#main h1")

    def at(self, heading):
        """Waits until another page is shown, by its heading."""
        self.until(lambda: self.heading() == heading, lambda: f"the page '{heading}' is shown, and not '{self.heading()}'")
        return self.ready()

    def _nodes(self, role, within=None):
        if within is None:
            root = self.cdp("DOM.getDocument", depth=0)["root"]["nodeId"]
        else:
            document = self.cdp("DOM.getDocument", depth=0)["root"]["nodeId"]
            root = self.cdp("DOM.querySelector", nodeId=document, selector=within)["nodeId"]
            if root == 0:
                return []
        found = self.cdp("Accessibility.queryAXTree", nodeId=root, role=role)["nodes"]
        return [node for node in found if not node.get("ignored")]

    @staticmethod
    def _name(node):
        return node.get("name", {}).get("value", "")

    def names(self, role, within=None):
        """The accessible names of all elements of a role, in their order."""
        return [self._name(node) for node in self._nodes(role, within)]

    def find(self, role, name, within=None):
        """The first element of a role with an accessible name: a text, or a pattern. None if there is none."""
        for node in self._nodes(role, within):
            own = self._name(node)
            if own == name if isinstance(name, str) else name.search(own):
                return self._element(node)
        return None

    def role(self, role, name, within=None, seconds=8):
        """Waits for an element of a role with an accessible name."""
        def found():
            try:
                return self.find(role, name, within)
            except WebDriverException as error:
                if "node" in str(error):
                    return None
                raise
        end = f"{role} '{name if isinstance(name, str) else name.pattern}'"
        try:
            return self.until(found, end, seconds)
        except AssertionError as error:
            raise AssertionError(f"Expected a {end}. There are: {self.names(role, within)}") from error

    def _element(self, node):
        mark = f"m{next(self._marks)}"
        pushed = self.cdp("DOM.pushNodesByBackendIdsToFrontend", backendNodeIds=[node["backendDOMNodeId"]])["nodeIds"][0]
        if pushed == 0:
            return None
        self.cdp("DOM.setAttributeValue", nodeId=pushed, name="data-test-mark", value=mark)
        found = self.driver.find_elements(By.CSS_SELECTOR, f"[data-test-mark={mark}]")
        return found[0] if found else None

    # Doing

    def click(self, role, name, within=None):
        element = self.role(role, name, within)
        self.js("arguments[0].scrollIntoView({block: 'center', inline: 'nearest'})", element)
        element.click()
        return element

    def focus(self, element):
        """Gives the focus to an element. A click could follow a link in it."""
        self.js("arguments[0].focus()", element)
        return self

    def press(self, *keys):
        """Presses keys, one after the other. A tuple is pressed together."""
        actions = ActionChains(self.driver)
        for key in keys:
            if isinstance(key, tuple):
                *held, last = key
                for one in held:
                    actions.key_down(one)
                actions.send_keys(last)
                for one in reversed(held):
                    actions.key_up(one)
            else:
                actions.send_keys(key)
        actions.perform()
        return self

    def fill(self, element, text):
        element.click()
        element.send_keys(Keys.CONTROL, "a")
        element.send_keys(Keys.DELETE)
        if text:
            element.send_keys(text)
        return self

    def focused(self):
        """What has the focus, as its role and its accessible name."""
        element = self.driver.switch_to.active_element
        return element.aria_role, element.accessible_name

    def resize(self, width=WIDTH, height=HEIGHT, scale=1):
        """Gives the window a size in CSS pixels. `scale` is the zoom."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        return self

    def media(self, **features):
        """Sets media features, such as `prefers_color_scheme='dark'`."""
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])
        return self

    def download(self, act):
        """Does what starts a download, and returns its file."""
        before = set(self.browser.downloads.iterdir())
        act()
        return self.until(lambda: next((file for file in self.browser.downloads.iterdir()
                                        if file not in before and file.suffix != ".crdownload" and not file.name.startswith(".")), None), "a file is downloaded")

    def start_to_go(self, fragment):
        """Follows a link to another fragment, and does not wait for the page."""
        self.js("location.hash = arguments[0]", fragment)
        return self

    def hold(self, path, is_answered=True):
        """Holds requests for a path of the API until `release`. Their answers are of the time before, or else of the time after it."""
        self.js(HOLD, path, is_answered)
        return self

    def holds(self):
        """Waits until a request is held."""
        self.until(lambda: self.js("return __held.length"), "a request is held", 20)
        return self

    def release(self):
        self.js("__release()")
        return self

    # The table of objects

    @property
    def rows(self):
        """The rows that are drawn and loaded, by number from 0: lists of the texts of cells."""
        found = self.js("""
            const isFilled = (row) => row.classList.contains('is-deleted') || [...row.children].every((cell) => cell.hasChildNodes());
            return Object.fromEntries([...document.querySelectorAll('[role=grid] [role=row][data-row]')].filter((row) => !row.hasAttribute('aria-busy') && isFilled(row))
              .map((row) => [row.dataset.row, [...row.children].slice(1).map((cell) => cell.innerText.replace(/\\s*⋯$/, '').trim())]))""")
        return {int(number): cells for number, cells in found.items()}

    def settled(self):
        """Waits until all rows that are drawn are loaded and filled, and returns them. Cells out of sight come last."""
        def rows():
            count = len(self.all("[role=grid] [data-row]"))
            found = self.rows
            return found if count and len(found) == count else None
        return self.until(rows, "all rows that are drawn are filled")

    def row(self, number):
        """Waits until a row is drawn and loaded, and returns the texts of its cells."""
        self.until(lambda: number in self.rows, f"row {number} is drawn")
        return self.rows[number]

    @property
    def columns(self):
        """The names of the columns. Those that are not plain words have backquotes, as in queries."""
        return [name.strip("`") for name in self.js("return [...document.querySelectorAll('[role=grid] [role=columnheader]')].slice(1).map((cell) => cell.querySelector('bdi')?.textContent ?? cell.innerText)")]

    def cell(self, row, column):
        """The element of a cell."""
        place = self.columns.index(column) if isinstance(column, str) else column
        self.row(row)
        return self.css(f"[role=grid] [data-row='{row}'] [data-column='{place}']")

    # Judging

    def axe(self, rules=None):
        """The violations that axe finds once all transitions have ended, as texts. `rules` names the only ones."""
        if not self.js("return typeof axe === 'object'"):
            self.js(AXE.read_text())
        found = self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => axe.run(document, { runOnly: arguments[0] ?? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'], elementRef: false }))
              .then((result) => done(result.violations.map((one) => `${one.id} (${one.impact}): ${one.help}\\n` + one.nodes.slice(0, 3).map((node) => `    ${node.html.slice(0, 200)}\\n    ${node.failureSummary.replace(/\\n/g, ' ').slice(0, 300)}`).join('\\n'))),
                (error) => done([String(error)]));""", rules)
        return found

    def is_accessible(self, rules=None):
        violations = self.axe(rules)
        assert violations == [], f"axe should find nothing at {self.hash}:\n" + "\n".join(violations)
        return self

    def fits(self):
        """The page does not scroll sideways, and cuts nothing that people use."""
        width, window = self.js("return [document.documentElement.scrollWidth, innerWidth]")
        assert width <= window, f"{self.hash} should not scroll sideways: it is {width} wide in a window of {window}."
        cut = self.js(CUT)
        assert cut == [], f"{self.hash} should cut nothing in a window of {window}:\n" + "\n".join(cut[:10])
        return self

    def picture(self, name):
        """Writes a screenshot, and compares it with its reference."""
        self.js("document.activeElement?.blur?.(); scrollTo(0, 0)")
        size = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT}
        (self.shots / f"{name}.png").write_bytes(self._shot(size, 1))
        pictures.check(name, self._shot(size, 0.25), self.is_recording)
        return self

    def _shot(self, size, scale):
        return base64.b64decode(self.cdp("Page.captureScreenshot", format="png", clip={**size, "scale": scale})["data"])

    def allow(self, pattern):
        """Expects a message on the console, as of an answer with status 400."""
        self.allowed.append(re.compile(pattern))
        return self

    def check_for_trouble(self):
        logs = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING") and "favicon.ico" not in entry["message"]]
        noted = self.js("return window.__trouble ?? []")
        trouble = [one for one in logs + noted if not any(pattern.search(one) for pattern in self.allowed)]
        assert trouble == [], "The page should log no error:\n" + "\n".join(trouble[:10])
        hacked = self.js("return [window.__hacked ?? null, document.querySelectorAll('#injected').length]")
        assert hacked == [None, 0], f"No value of the store should run as a script or be markup: {hacked}"


def quoted(values):
    """A fragment's parameters."""
    return "&".join(f"{name}={quote(str(value), safe='')}" for name, value in values.items())


def objects(name, **parameters):
    """The fragment of the page of the objects of a class."""
    return f"#/objects?{quoted({'class': name, **parameters})}"


def an_object(name, key, **parameters):
    return f"#/object?{quoted({'class': name, 'name': key, **parameters})}"

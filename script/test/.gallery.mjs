// ../../gallery.mts
import { mkdirSync } from "node:fs";

// ../../gallery-data.ts
var t = (s) => [s];
var p = (...s) => [["p", ...s]];
var b = (id, text, tour_action) => ({ id, text: t(text), ...tour_action && { tour_action } });
var q = (preset, rest = {}) => ({ id: "e", kind: "survey", steps: [{ id: "s1", preset, title: t("How easy was it to create your first report?"), screen_position: "bottom_right", ...rest }] });
var at = (sel) => ({ elements: [{ selector: sel }], position_type: "snap_to_element" });
var gallery = {
  "tour-modal": { kind: "tour", steps: [{ id: "s1", title: t("Welcome to Orbit, Ann"), body: [["p", "Three short steps show you how to turn your numbers into a ", ["strong", "report"], " that your team will read."], ["ul", ["li", "Pick your data"], ["li", "Choose a template"], ["li", "Share it with a link"]]], backdrop: true, dismiss_text: t("Not now"), buttons: [b("b1", "Show me", "next")] }, { id: "s2" }, { id: "s3" }] },
  "tour-tooltip": { kind: "tour", startAt: "s2", steps: [{ id: "s1", title: t("Create your first report"), body: p("Everything starts here. Choose a template, or begin with an empty page."), ...at("#new"), backdrop: true, buttons: [b("b0", "Back", "previous"), b("b1", "Next", "next")] }, { id: "s2" }, { id: "s3" }, { id: "s4" }, { id: "s5" }] },
  "tour-tooltip-right": { kind: "tour", steps: [{ id: "s1", title: t("Revenue at a glance"), body: p("Click a card to see ", ["a", { href: "https://example.com" }, "what is behind it"], "."), ...at("#one"), placement: "right" }] },
  "tour-tooltip-top": { kind: "tour", steps: [{ id: "s1", body: p("A hint without a title, which says what it has to say in one sentence."), ...at("#churn"), placement: "top", snooze_hours: 24 }, { id: "s2" }] },
  "tour-slideout": { kind: "tour", steps: [{ id: "s1", title: t("New: shared dashboards"), body: p("Put charts of several reports side by side, and give your team one link to all of them."), screen_position: "bottom_right", snooze_hours: 24, buttons: [b("b1", "Try it", "next")] }] },
  "tour-slideout-left": { kind: "tour", steps: [{ id: "s1", title: t("New: shared dashboards"), body: p("Put charts side by side."), screen_position: "top_left", buttons: [b("b2", "Read more"), b("b1", "Dismiss", "exit")] }] },
  "tour-banner-top": { kind: "tour", steps: [{ id: "s1", title: t("Scheduled maintenance on Sunday"), body: p("Reports are read-only from 02:00 to 04:00 UTC."), screen_position: "top", buttons: [b("b1", "Details", "next")] }] },
  "tour-banner-bottom": { kind: "tour", steps: [{ id: "s1", body: p("Your trial ends in 3 days. ", ["a", { href: "/plans" }, "Choose a plan"]), screen_position: "bottom", dismiss_text: t("Later"), buttons: [b("b1", "Upgrade", "next")] }] },
  "tour-long": { kind: "tour", steps: [{ id: "s1", title: t("What is new in this release, with a title that takes more than one line"), body: [...Array(14)].map((_, i) => ["p", `Paragraph ${i + 1}: a sentence that is long enough to wrap once, with `, ["code", "code"], " and ", ["em", "emphasis"], "."]), backdrop: true, buttons: [b("b1", "Close", "exit")] }] },
  "tour-rich": { kind: "tour", steps: [{ id: "s1", title: t("Rich text"), body: [["h3", "A heading"], ["p", "Text with ", ["strong", "strong"], ", ", ["em", "em"], ", ", ["del", "del"], ", ", ["code", "npm start"], " and ", ["a", { href: "/x" }, "a link"], "."], ["blockquote", ["p", "A quote."]], ["pre", ["code", "const a = 1;\nconst b = 2;"]], ["hr"], ["ol", ["li", "One"], ["li", "Two"]]] }] },
  "survey-two": q("survey_two", { buttons: [b("b1", "Yes"), b("b2", "No")] }),
  "survey-three": q("survey_three", { buttons: [b("b1", "Hard"), b("b2", "Fine"), b("b3", "Easy")], snooze_hours: 24 }),
  "survey-four": q("survey_four", { body: p("Think of the last one that you made."), buttons: [b("b1", "Never"), b("b2", "Monthly"), b("b3", "Weekly"), b("b4", "Daily")], dismiss_text: t("Not now") }),
  "survey-five": q("survey_five", { buttons: [b("b1", "Very hard"), b("b2", "Hard"), b("b3", "Neither"), b("b4", "Easy"), b("b5", "Very easy")] }),
  "survey-nps": q("survey_nps", { title: t("How likely are you to recommend Orbit to a colleague?"), label_low: t("Not likely"), label_high: t("Very likely"), screen_position: "bottom" }),
  "survey-nps-corner": q("survey_nps", { title: t("How likely are you to recommend Orbit to a colleague?"), label_low: t("Not likely"), label_high: t("Very likely") }),
  "survey-csat": q("survey_csat", { title: t("How satisfied are you with reports?"), label_low: t("Very unhappy"), label_high: t("Very happy"), dismiss_text: t("Not now") }),
  "survey-ces": q("survey_ces", { label_low: t("Very hard"), label_high: t("Very easy") }),
  "survey-input": q("survey_input", { title: t("What is missing?"), placeholder: t("I wish that\u2026"), snooze_hours: 24, screen_position: "center", backdrop: true }),
  "survey-dropdown": q("survey_dropdown", { title: t("How did you hear of us?"), dropdown_items: [t("A colleague"), t("Search"), t("A conference")], other_text: t("Something else") }),
  "survey-dropdown-other": q("survey_dropdown", { title: t("How did you hear of us?"), dropdown_items: [t("A colleague"), t("Search"), t("A conference")], other_text: t("Something else") }),
  "survey-response": q("response", { title: t("Thanks! What is the reason for your score?"), placeholder: t("In your own words") }),
  "survey-thanks": q("thank_you", { title: t("Thank you"), body: p("We read every answer.") }),
  "survey-at-element": q("survey_csat", { ...at("#one"), title: t("Is this card useful?") }),
  "launcher": { kind: "launcher", open: true, title: t("Help and guides"), description: p("Find your way, or ask us."), items: [{ id: "i1", title: t("Create a report"), description: p("Two minutes, step by step"), kind: "tour", campaign_id: "c" }, { id: "i2", title: t("Documentation"), url: "https://example.com", description: p("Every feature, explained") }, { id: "d", kind: "divider" }, { id: "i3", title: t("Contact support"), url: "/support" }] },
  "launcher-checklist": { kind: "launcher", open: true, list_type: "checklist", trigger_type: "tab", trigger_text: t("Get started"), title: t("Get started with Orbit"), description: p("Four things, and your team can begin."), items: [{ id: "i1", title: t("Connect your data"), kind: "tour", campaign_id: "a", completed: true }, { id: "i2", title: t("Create a report"), description: p("Start with a template"), kind: "tour", campaign_id: "b" }, { id: "i3", title: t("Invite your team"), kind: "tour", campaign_id: "c" }, { id: "i4", title: t("Tell us about you"), kind: "survey", campaign_id: "d", completed: true }, { id: "d", kind: "divider" }, { id: "i5", title: t("Read the guide"), url: "/guide" }] },
  "launcher-empty": { kind: "launcher", open: true, trigger: "bell", title: t("What is new"), screen_position: "bottom_left", empty_state_content: p("Nothing new. You are up to date."), items: [] },
  "launcher-element": { kind: "launcher", open: true, trigger_type: "element", trigger: "#new", position_type: "snap_to_trigger", title: t("New report"), items: [{ id: "i1", title: t("From a template"), url: "/t" }, { id: "i2", title: t("Empty"), url: "/e" }] },
  "launcher-icons": { kind: "launcher", many: true },
  "tooltip": { kind: "tooltip", hover: "#churn", steps: [{ id: "s1", title: t("Churn"), body: p("Customers who left, as a share of those at the start of the month."), ...at("#churn") }] },
  "tooltip-plain": { kind: "tooltip", hover: "#new", steps: [{ id: "s1", body: p("Makes a new report"), ...at("#new") }] },
  "tooltip-icon": { kind: "tooltip", icon: true, steps: [{ id: "s1", title: t("Churn"), body: p("Customers who left in a month."), elements: [{ selector: "#churn" }], position_type: "inline", secondary_trigger: "click", buttons: [b("b1", "Show me how")] }] },
  "embed-banner": { kind: "embed", steps: [{ id: "s1", title: t("Reports are twice as fast now"), body: p("Nothing to do for you."), elements: [{ selector: "#slot" }], position_type: "inline", buttons: [b("b1", "Read more")] }] },
  "embed-card": { kind: "embed", style: "card", steps: [{ id: "s1", title: t("Invite your team"), body: p("Reports are better when somebody reads them. Invite up to five colleagues for free."), elements: [{ selector: ".cards" }], position_type: "inline", dismiss_text: t("Not now"), buttons: [b("b1", "Invite"), b("b2", "Why", "exit")] }] }
};

// test/kinds-page.ts
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
var flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"];
function startBrowser() {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: flags });
}
var address = "https://app.example.com/";
var kinds = ["tour", "survey", "launcher", "tooltip", "embed"];
var script;
async function openPage(browser2, { body = product, css = "", dir = "ltr", ...context } = {}) {
  script ??= bundle();
  const page = await browser2.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...context });
  const html = `<!doctype html><html lang="en" dir="${dir}"><meta name="viewport" content="width=device-width"><title>Product</title><style>${look}${css}</style><body>${body}</body></html>`;
  await page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto(address);
  await page.evaluate(await script);
  return page;
}
async function bundle() {
  const contents = ["./kinds-core.ts", "../src/stage.ts", ...kinds.map((kind) => `../src/kinds/${kind}.ts`)];
  const { outputFiles } = await build({
    stdin: {
      contents: contents.map((file) => `import '${file}';`).join("\n"),
      resolveDir: fileURLToPath(new URL(".", import.meta.url))
    },
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022"
  });
  return outputFiles[0]?.text ?? "";
}
function show(page, experience, options) {
  return page.evaluate(([one, given]) => window.kinds.show(one, given), [
    experience,
    options
  ]);
}
async function violations(page) {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  await page.evaluate(await readFile(axe, "utf8"));
  return page.evaluate(async () => {
    const { axe: axe2 } = window;
    const found = await axe2.run();
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`
    );
  });
}
var look = `*{box-sizing:border-box}body{margin:0;font:15px/1.5 system-ui,sans-serif;color:#222b3a;background:#f5f6f9}
header{display:flex;gap:20px;align-items:center;padding:14px 24px;background:#fff;border-bottom:1px solid #e4e7ee}
main{max-width:1000px;margin:0 auto;padding:28px 24px;display:grid;gap:20px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:16px}
.card{background:#fff;border:1px solid #e4e7ee;border-radius:10px;padding:18px}
button,input{font:inherit}header nav{display:flex;gap:16px;margin-inline-end:auto}
#new{background:#222b3a;color:#fff;border:0;border-radius:8px;padding:8px 14px}
@media(prefers-color-scheme:dark){body{background:#12151c;color:#e4e8f0}header,.card{background:#191d26;border-color:#2b3140}#new{background:#e4e8f0;color:#12151c}}`;
var product = `<header><strong>Orbit</strong><nav><span>Home</span><span>Reports</span></nav><button id="new">New report</button></header>
<main><h1 id="head">Reports</h1><div id="slot"></div><label>Search <input id="search"></label>
<div class="cards"><div class="card" id="one"><h2>Revenue</h2><p>$ 48,200 this month, 12 % more than in the last.</p></div>
<div class="card"><h2>Visitors</h2><p>9,310 this week, most of them on Tuesday.</p></div>
<div class="card"><h2 id="churn">Churn</h2><p>1.4 %, the lowest in a year.</p></div></div></main>`;

// ../../gallery.mts
var only = process.argv[2];
var variants = [
  ["1440", "light", "ltr"],
  ["1440", "dark", "ltr"],
  ["375", "light", "ltr"],
  ["375", "dark", "rtl"],
  ["1440", "light", "rtl"],
  ["320", "light", "ltr"]
].filter((v) => !process.argv[3] || v.join("-").startsWith(process.argv[3]));
mkdirSync("/tmp/shots-s2", { recursive: true });
process.chdir("/tmp");
var browser = await startBrowser();
for (const [w, scheme, dir] of variants) {
  for (const [name, given] of Object.entries(gallery)) {
    if (only && !name.match(only)) continue;
    const small = Number(w) < 500;
    const page = await openPage(browser, {
      viewport: { width: Number(w), height: small ? 667 : 800 },
      colorScheme: scheme,
      dir
    });
    page.on("pageerror", (e) => console.log(name, "ERROR", e.message));
    const { open, hover, icon, many, ...experience } = given;
    if (many)
      for (const [i, at2] of [
        "center",
        "top",
        "bottom",
        "top_left",
        "top_right",
        "bottom_left",
        "bottom_right"
      ].entries())
        await show(page, {
          id: "e" + i,
          kind: "launcher",
          trigger: ["help", "list", "bell", "book", "chat", "star", "spark"][i],
          screen_position: at2,
          list_type: i % 2 ? "checklist" : "default",
          items: [{ id: "x", kind: "tour", campaign_id: "c", title: ["X"] }]
        });
    else await show(page, { id: "e", ...experience });
    if (open) await page.evaluate(() => window.kinds.open());
    if (hover) {
      await page.hover(hover);
      await page.locator(".tip").waitFor();
    }
    if (icon) await page.locator(".hint").click();
    if (name.endsWith("-other")) await page.locator("select").selectOption({ index: 4 });
    await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
    await page.screenshot({ path: `/tmp/shots-s2/${w}-${scheme}-${dir}-${name}.png` });
    if (!process.env.NOAXE) for (const v of await violations(page)) console.log(name, w, scheme, v);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (wide) console.log(name, w, "page scrolls sideways");
    await page.close();
  }
}
await browser.close();

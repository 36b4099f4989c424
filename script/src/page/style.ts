/*
 * The theme, and what all kinds have in common. It is a constructed style sheet of each shadow root, so a page needs no
 * nonce for it and no rule of the page reaches in. What is `!important` at `:host` wins over all that the page says of the
 * host; of that only custom properties and `direction` come through, and so a page themes it:
 * `:root {--usher-accent: #0a7; --usher-radius: 4px}`.
 *
 * Colours are mixed of four, and go by what the user prefers, or by `data-theme` (`light`, `dark`) of the host. Text has a
 * contrast of at least 4.5 in both, what can be used 3. Sizes are in pixels: a page may have set `rem` to anything.
 */

const light = `--bg:var(--usher-background,#fff);--fg:var(--usher-text,#161b26);--accent:var(--usher-accent,#3a4bd0);--on:var(--usher-on-accent,#fff);
--good:#0d7a4f;--shade:#10182822;color-scheme:light`;
const dark = `--bg:var(--usher-background,#1d212b);--fg:var(--usher-text,#f1f3f8);--accent:var(--usher-accent,#a3b1ff);--on:var(--usher-on-accent,#12172c);
--good:#5fd6a1;--shade:#00000073;color-scheme:dark`;

export const style = `
:host{all:initial!important;display:block!important}
:host([popover]){position:fixed!important;z-index:2147483647!important;inset:0 auto auto 0!important;width:0!important;height:0!important}
@media print{:host{display:none!important}}
:host>*{${light};--radius:var(--usher-radius,12px);--soft:color-mix(in srgb,var(--fg) 76%,var(--bg));--edge:color-mix(in srgb,var(--fg) 52%,var(--bg));--line:color-mix(in srgb,var(--fg) 13%,var(--bg));--tint:color-mix(in srgb,var(--accent) 12%,var(--bg));
font:15px/1.5 var(--usher-font,system-ui,sans-serif);color:var(--fg);text-align:start}
@media(prefers-color-scheme:dark){:host(:not([data-theme=light]))>*{${dark}}}
:host([data-theme=dark])>*{${dark}}
*{box-sizing:border-box}
svg{display:block;width:20px;height:20px;flex:none;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
button{font:inherit;color:inherit;background:none;border:0;margin:0;padding:0;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
a{color:var(--accent);text-underline-offset:2px;border-radius:2px}
.box{position:fixed;pointer-events:auto;z-index:3;display:flex;flex-direction:column;width:min(340px,100vw - 24px);max-height:calc(100dvh - 24px);
background:var(--bg);border:1px solid var(--line);border-radius:var(--radius);box-shadow:0 1px 3px var(--shade),0 14px 36px -6px var(--shade);animation:in .2s cubic-bezier(.2,.8,.2,1)}
.box:focus{outline:0}
@keyframes in{from{opacity:0;translate:0 6px}}
@media(prefers-reduced-motion:reduce){*,:before{animation:none!important;transition:none!important}}
.main{padding:20px;overflow:auto;overscroll-behavior:contain;min-height:0;flex:1 1 auto;border-radius:inherit}
.title{margin:0;font-size:17px;line-height:1.35;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere;text-wrap:balance}
.title+*{margin-top:8px}
.body{color:var(--soft);overflow-wrap:anywhere}
:has(>.x)>.main>:is(.title,.body:first-child){padding-inline-end:30px}
.body>*{margin:0}
.body>*+*{margin-top:10px}
.body :is(h1,h2,h3,h4,h5,h6){color:var(--fg);font-size:15px;line-height:1.4}
.body :is(strong,a){font-weight:600}
.body :is(ul,ol){padding-inline-start:20px}
.body li+li{margin-top:4px}
.body img{display:block;max-width:100%;height:auto;border-radius:calc(var(--radius)*.6)}
.body blockquote{padding-inline-start:12px;border-inline-start:3px solid var(--line)}
.body :is(code,pre){font:.88em/1.5 ui-monospace,Menlo,Consolas,monospace;background:var(--tint);border-radius:4px;padding:1px 5px;white-space:pre-wrap}
.body pre{padding:10px 12px;direction:ltr;text-align:left}
.body pre code{padding:0;background:none;font-size:1em}
.body hr{border:0;border-top:1px solid var(--line)}
.foot{display:flex;flex-wrap:wrap;align-items:center;justify-content:flex-end;gap:8px 16px;padding:0 20px 20px}
.main[tabindex]+.foot{border-top:1px solid var(--line);padding-top:16px}
.foot>:first-child:not(.acts){margin-inline-end:auto}
.count{color:var(--soft);font-size:13px;font-variant-numeric:tabular-nums}
.acts{display:flex;flex-wrap:wrap;justify-content:flex-end;gap:8px}
.act{min-height:36px;padding:7px 15px;border:1px solid var(--edge);border-radius:calc(var(--radius)*.7);font-size:14px;line-height:20px;font-weight:600;overflow-wrap:anywhere;transition:background .12s,filter .12s}
.act:hover{background:var(--tint)}
.act.first{background:var(--accent);border-color:var(--accent);color:var(--on)}
.act.first:hover{filter:brightness(1.12)}
.link{min-height:28px;color:var(--soft);font-size:14px;text-decoration:underline;text-underline-offset:3px;text-decoration-color:var(--edge);border-radius:4px}
.link:hover,.x:hover{color:var(--fg)}
.x{position:absolute;top:12px;inset-inline-end:12px;display:grid;place-items:center;width:32px;height:32px;border-radius:calc(var(--radius)*.6);color:var(--soft)}
.x:hover{background:var(--tint)}
.x svg{width:18px;height:18px}
.box[data-side]:before{content:"";position:absolute;width:12px;height:12px;rotate:45deg;background:var(--bg);border:0 solid var(--line);--at:clamp(10px,var(--arrow) - 6px,100% - 22px)}
.box[data-side=bottom]:before{top:-7px;left:var(--at);border-width:1px 0 0 1px}
.box[data-side=top]:before{bottom:-7px;left:var(--at);border-width:0 1px 1px 0}
.box[data-side=right]:before{left:-7px;top:var(--at);border-width:0 0 1px 1px}
.box[data-side=left]:before{right:-7px;top:var(--at);border-width:1px 1px 0 0}
[data-at^=top]{top:16px}
[data-at^=bottom]{bottom:max(16px,env(safe-area-inset-bottom))}
[data-at$=left]{left:16px}
[data-at$=right]{right:16px}
.box[data-at]{width:min(360px,100vw - 32px)}
.box[data-at=center]{inset:0;margin:auto;height:fit-content;width:min(460px,100vw - 32px)}
.banner.box{left:16px;right:16px;margin:auto;width:auto;max-width:880px}
@media(min-width:561px){.banner.box{flex-flow:row wrap;align-items:center;padding-inline-end:56px}
.banner .main{padding:14px 20px;flex:1 1 280px}
.banner>.main>*{padding:0!important}
.banner .title{font-size:15px}
.banner .title+.body{margin:2px 0 0}
.banner .body{font-size:14px}
.banner .foot{padding-block:10px;padding-inline-end:0}}
.inline.box{position:relative;z-index:auto;inset:auto;width:auto;max-width:none;max-height:none;margin:0;box-shadow:0 1px 2px var(--shade);animation:none}
.veil{position:fixed;pointer-events:auto;z-index:2;inset:0;background:#0c111d80;animation:veil .2s;transition:clip-path .2s}
@keyframes veil{from{opacity:0}}
`;

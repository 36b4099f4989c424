/*
 * The theme, and the styles that all kinds share. They are a constructed style sheet of each shadow root, so the page needs no
 * nonce for them, and no rule of the page reaches in. A rule at `:host` with `!important` wins over all rules of the page for the
 * host. Only custom properties and `direction` are inherited, and a page sets the theme with them:
 * `:root {--usher-accent: #0a7; --usher-radius: 4px}`.
 *
 * All colors are mixed from four. They follow the preference of the user, or `--usher-scheme` (`light`, `dark`). Text has a
 * contrast of at least 4.5 in both schemes, fields of at least 3. Sizes are in pixels, since a page may set `rem` to anything.
 *
 * Browsers before 2024 show the light colors, by a rule of the style sheet. A test in the script would be slower: the first access
 * to `CSS` in a page makes the browser create all of it, which takes a tenth of the time to evaluate the script.
 */

export const style = `
:host{all:initial!important;display:block!important}
:host([popover]){position:fixed!important;z-index:2147483647!important;inset:0 auto auto 0!important;width:0!important;height:0!important}
@media print{:host{display:none!important}}
:host>*{color-scheme:var(--usher-scheme,light dark);--bg:var(--usher-background,light-dark(#fff,#1d212b));--fg:var(--usher-text,light-dark(#161b26,#f1f3f8));--accent:var(--usher-accent,light-dark(#3a4bd0,#a3b1ff));--on:var(--usher-on-accent,light-dark(#fff,#12172c));--good:light-dark(#0d7a4f,#5fd6a1);--shade:light-dark(#1018281f,#0006);
--x:0px;--rise:0px;--radius:var(--usher-radius,12px);--small:calc(var(--radius)*.66);--soft:color-mix(in srgb,var(--fg) 75%,var(--bg));--edge:color-mix(in srgb,var(--fg) 52%,var(--bg));--line:color-mix(in srgb,var(--fg) 16%,var(--bg));--tint:color-mix(in srgb,var(--accent) 10%,var(--bg));
font:15px/1.5 var(--usher-font,system-ui,sans-serif);color:var(--fg);text-align:start;overflow-wrap:anywhere}
@supports not (color:light-dark(red,red)){:host>*{--bg:var(--usher-background,#fff);--fg:var(--usher-text,#161b26);--accent:var(--usher-accent,#3a4bd0);--on:var(--usher-on-accent,#fff);--good:#0d7a4f;--shade:#1018281f}}
*{box-sizing:border-box}
svg{display:block;width:20px;height:20px;flex:none;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
button{font:inherit;color:inherit;background:none;border:0;margin:0;padding:0;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
a{color:var(--accent);text-underline-offset:2px;border-radius:2px}
.announcer{position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.box{position:fixed;display:flex;flex-direction:column;width:min(360px,100vw - 32px);max-height:calc(100dvh - 32px);background:var(--bg);border:1px solid var(--line);border-radius:var(--radius);box-shadow:0 1px 3px var(--shade),0 12px 32px -4px var(--shade);--pad:20px;--rise:6px}
.box:focus{outline:0}
.box:has(>.x){--x:32px}
.backdrop{position:fixed;inset:0;background:#0c111d80}
@media(prefers-reduced-motion:no-preference){.box,.backdrop{animation:in .2s}.act,.x,.item{transition:background .12s}}
@keyframes in{from{opacity:0;translate:0 var(--rise)}}
.main{padding:var(--pad);overflow:auto;overscroll-behavior:contain;min-height:0;flex:1;border-radius:inherit}
.main>:first-child{padding-inline-end:var(--x)}
.title{margin:0;font-size:17px;line-height:24px;font-weight:650;text-wrap:balance}
.title,.body,.body *,.act{unicode-bidi:plaintext}
.title+*{margin-top:8px}
.body{color:var(--soft);max-width:72ch}
.body *{margin:0}
.body>*+*,.body li+li{margin-top:8px}
.body :is(h1,h2,h3,h4,h5,h6){color:var(--fg);font-size:15px}
.body :is(strong,a){font-weight:600}
.body :is(ul,ol){padding-inline-start:20px}
.body img{display:block;max-width:100%;border-radius:var(--small)}
.body blockquote{padding-inline-start:12px;border-inline-start:3px solid var(--line)}
.body :is(code,pre){font:13px/1.5 ui-monospace,Menlo,monospace;background:var(--tint);border-radius:4px;padding:1px 4px;white-space:pre-wrap}
.body pre{padding:8px;direction:ltr;text-align:left}
.body hr{border:0;border-top:1px solid var(--line)}
.foot,.acts{display:flex;flex-wrap:wrap;align-items:center;justify-content:flex-end;gap:8px 16px}
.foot{padding:0 var(--pad) var(--pad)}
.main[tabindex]+.foot{border-top:1px solid var(--line);padding-top:16px}
.foot>:first-child:not(.acts){margin-inline-end:auto}
.count,.link{color:var(--soft);font-size:14px}
.acts{gap:8px}
.act{min-height:40px;padding:8px 16px;border:1px solid var(--line);border-radius:var(--small);font-size:14px;font-weight:600}
.act:hover,.x:hover{background:var(--tint)}
.act.first{background:var(--accent);border-color:var(--accent);color:var(--on)}
.act.first:hover{filter:brightness(1.1)}
.return{position:fixed;inset:auto 0 16px;margin:auto;width:fit-content}
.link{min-height:32px;font-weight:500;border-radius:4px}
.link:hover{color:var(--fg);text-decoration:underline}
.x{position:absolute;top:16px;inset-inline-end:12px;padding:6px;border-radius:var(--small);color:var(--soft)}
.box[data-side]:before{content:"";position:absolute;width:14px;height:14px;background:inherit;border:inherit;clip-path:polygon(0 0,100% 0,0 100%);rotate:45deg;--at:calc(var(--arrow) - 8px)}
.box[data-side=bottom]:before{top:-7px;left:var(--at)}
.box[data-side=top]:before{bottom:-7px;left:var(--at);rotate:225deg}
.box[data-side=right]:before{left:-7px;top:var(--at);rotate:-45deg}
.box[data-side=left]:before{right:-7px;top:var(--at);rotate:135deg}
[data-at^=top]{top:16px}
[data-at^=bottom]{bottom:16px}
[data-at$=left]{inset-inline-start:16px}
[data-at$=right]{inset-inline-end:16px}
.box[data-at=center]{inset:0;margin:auto;height:fit-content;width:min(480px,100vw - 32px);--pad:24px}
.banner.box{inset-inline:16px;margin:auto;width:auto;max-width:880px}
@media(min-width:561px){.banner.box{flex-flow:wrap;align-items:center;padding-inline-end:56px;--x:0}
.banner>:not(.x){padding:12px 0;padding-inline-start:20px}
.banner .main{flex:1 1 280px}
.banner :is(.title,.body){margin:0;font-size:15px}}
@media(prefers-contrast:more){:host>*{--soft:var(--fg);--edge:var(--fg);--line:var(--fg)}}
@media(forced-colors:active){.act.first{forced-color-adjust:none;background:Highlight;color:HighlightText}}
@media(max-height:400px){.box.box{display:block;overflow:auto}.main.main{overflow:visible}}
.inline.box{position:relative;inset:auto;width:auto;max-width:none;max-height:none;margin:0;box-shadow:0 1px 2px var(--shade);animation:none}
`;

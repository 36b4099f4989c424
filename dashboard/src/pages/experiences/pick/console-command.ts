/*
 * Picks an element where nothing of Usher can run: somebody pastes this command into the console of the page. It must
 * be one line without any dependency. It outlines the element under the pointer, and shows the selector of the clicked
 * element. Names that occur once are preferred, then the name of an element around it with the path from there, then
 * the path alone. Esc stops it.
 */
const lines = [
  'const names=["data-usher","data-testid","data-test","data-cy","data-qa","id","name","aria-label"];',
  'const count=(s)=>{try{return document.querySelectorAll(s).length}catch{return 0}};',
  'const made=(n,v)=>n==="id"&&/\\d{3}|:|^(radix|headlessui|ember|react)/.test(v);',
  'const named=(e)=>{for(const n of names){const v=e.getAttribute(n);if(v&&v.length<80&&!made(n,v)){const s="["+n+"="+JSON.stringify(v)+"]";if(count(s)===1)return s}}};',
  'const placed=(e)=>{const t=e.localName,p=e.parentElement;const same=p?[...p.children].filter((c)=>c.localName===t):[];return same.length>1?t+":nth-of-type("+(same.indexOf(e)+1)+")":t};',
  'const path=(e)=>{const s=named(e);if(s)return s;const own=placed(e);return e.parentElement?path(e.parentElement)+" > "+own:own};',
  'let last,was;',
  'const mark=(e)=>{if(last)last.style.outline=was;last=e;if(e){was=e.style.outline;e.style.outline="2px solid #3a4bd0"}};',
  'const over=(v)=>mark(v.target);',
  'const stop=()=>{mark();for(const [t,f] of all)removeEventListener(t,f,true)};',
  'const swallow=(v)=>{v.preventDefault();v.stopImmediatePropagation()};',
  'const click=(v)=>{swallow(v);stop();const s=path(v.target);console.log(s);prompt("Matches "+count(s)+". Copy this selector into Usher:",s)};',
  'const key=(v)=>{if(v.key==="Escape"){swallow(v);stop()}};',
  'const all=[["mouseover",over],["pointerdown",swallow],["mousedown",swallow],["pointerup",swallow],["mouseup",swallow],["click",click],["keydown",key]];',
  'for(const [t,f] of all)addEventListener(t,f,true);',
  'return "Click the element. Esc stops."',
];

export const consoleCommand = `(()=>{${lines.join('')}})()`;

/*
 * Picks an element where nothing of Usher can run: somebody pastes it into the console of the page. It must be one line that needs
 * nothing else, so its source is a function whose text is sent. It shows the selector of what is clicked next.
 */
const lines = [
  'const names=["data-usher","data-testid","data-test","data-cy","data-qa","id","name","aria-label"];',
  'const counts=(s)=>{try{return document.querySelectorAll(s).length}catch{return 0}};',
  'const named=(e)=>{for(const n of names){const v=e.getAttribute(n);if(v&&v.length<80&&!(n==="id"&&/\\d{3}|:/.test(v))){const s="["+n+"="+JSON.stringify(v)+"]";if(counts(s)===1)return s}}};',
  'const placed=(e)=>{const t=e.localName,p=e.parentElement;const same=p?[...p.children].filter((c)=>c.localName===t):[];return same.length>1?t+":nth-of-type("+(same.indexOf(e)+1)+")":t};',
  'const path=(e)=>{const s=named(e);if(s)return s;const own=placed(e);return e.parentElement?path(e.parentElement)+" > "+own:own};',
  'addEventListener("click",(c)=>{c.preventDefault();c.stopImmediatePropagation();const s=path(c.target);console.log(s);prompt("Matches "+counts(s)+". Copy this selector into Usher:",s)},{capture:true,once:true});',
  'return "Click the element"',
];

export const consoleCommand = `(()=>{${lines.join('')}})()`;

import '@material/web/button/filled-button.js';
import '@material/web/button/text-button.js';
import '@material/web/dialog/dialog.js';

/* Elements with shadow roots: open ones of a library, one of them with a modal dialog inside, and a closed one. */

window.actions = [];
class CardField extends HTMLElement {
  constructor() {
    super();
    const button = document.createElement('button');
    button.textContent = 'Pay';
    button.onclick = () => window.actions.push('pay');
    this.attachShadow({ mode: 'closed' }).append(button);
  }
}
customElements.define('card-field', CardField);

const create = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
const dialog = create('md-dialog', { id: 'share' });
const inside = create('div', {}, create('md-text-button', { id: 'copy', onclick: () => window.actions.push('copy') }));
inside.slot = 'content';
inside.firstChild.append('Copy the link');
dialog.append(inside);
const save = create('md-filled-button', { id: 'save', onclick: () => window.actions.push('save') }, 'Save');
const share = create('md-filled-button', { id: 'open', onclick: () => dialog.show() }, 'Share');
const main = create('main', {}, create('h1', {}, 'Material Web'), save, share, create('card-field'), dialog);
document.getElementById('root').append(main);

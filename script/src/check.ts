import { checkElement } from './check/check-element.ts';
import { checkKey, type PageBox, type PageCheck } from './check/check-result.ts';

/* `usher check` adds this to the pages that it opens. Pages of users never load it. */

let outlined: HTMLElement | undefined;

const pageCheck: PageCheck = {
  check: (list) => list.map(checkElement),
  outline: ({ x, y, width, height }: PageBox) => {
    pageCheck.removeOutline();
    outlined = document.createElement('div');
    const style = {
      ...{ position: 'fixed', left: `${x - 4}px`, top: `${y - 4}px`, width: `${width}px`, height: `${height}px` },
      ...{ padding: '4px', 'box-sizing': 'content-box', 'z-index': '2147483647', 'pointer-events': 'none' },
      ...{ border: '3px dashed #d92d20', 'border-radius': '6px', margin: '-3px' },
    };
    // A policy of the page may forbid a style attribute, and does not forbid this.
    for (const [name, value] of Object.entries(style)) outlined.style.setProperty(name, value, 'important');
    document.documentElement.append(outlined);
  },
  removeOutline: () => outlined?.remove(),
};

Object.assign(window, { [Symbol.for(checkKey)]: pageCheck });

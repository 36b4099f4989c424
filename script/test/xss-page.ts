/* Detects injected code and elements. It runs in the page, before anything else. */

declare global {
  interface Window {
    pwned?: unknown;
    xss: Guard;
  }
}

interface Guard {
  /** Elements, attributes and addresses that must not be there. */
  wrong: string[];
  /** The addresses that the page navigated to. */
  went: string[];
  /** All elements that the script has painted. */
  inside(): HTMLElement[];
  look(): void;
  /** Hovers over everything and clicks all links. */
  use(): void;
}

export function guard(): void {
  const names =
    /^(div|span|h[1-6]|button|svg|path|p|ul|ol|li|blockquote|pre|hr|em|strong|del|code|br|a|img|form|textarea|select|option|input|i)$/;
  const own =
    /^(class|role|tabindex|aria-[a-z]+|type|placeholder|maxlength|data-(side|at|by|value)|style|d|viewBox|id)$/;
  const authored = /^(href|src|alt|title|start|target|rel|dir|lang)$/;
  const either = new RegExp(`${own.source}|${authored.source}`);
  const harmless = /^(https?|mailto|tel):/;
  const xss: Guard = {
    wrong: [],
    went: [],
    inside: () =>
      [...document.querySelectorAll('usher-layer')].flatMap((host) => [
        ...(host.shadowRoot?.querySelectorAll<HTMLElement>('*') ?? []),
      ]),
    look: () => {
      for (const one of xss.inside()) {
        const isText = !!one.closest('.body, .title') && !one.matches('.body, .title');
        if (!names.test(one.localName)) xss.wrong.push(`<${one.localName}>`);
        for (const { name } of one.attributes) if (!(isText ? authored : either).test(name)) xss.wrong.push(name);
        const { href, src } = one as HTMLAnchorElement & HTMLImageElement;
        if (href && one.localName === 'a' && !harmless.test(href)) xss.wrong.push(href);
        if (src && !/^https?:/.test(src)) xss.wrong.push(src);
      }
      if (window.pwned !== undefined) xss.wrong.push('pwned');
      delete window.pwned;
    },
    use: () => {
      for (const one of xss.inside()) {
        one.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
        if (one.matches('.body a, .title a')) one.click();
      }
    },
  };
  window.xss = xss;
  // Navigations are recorded and prevented. Code in an address would still run, since that is not a navigation.
  const { navigation } = window as unknown as { navigation: EventTarget };
  navigation.addEventListener('navigate', (event) => {
    const { url } = (event as unknown as { destination: { url: string } }).destination;
    xss.went.push(url);
    if (!/^https?:/.test(url)) xss.wrong.push(url);
    event.preventDefault();
  });
  window.open = (url) => {
    if (!harmless.test(new URL(url ?? '', location.href).href)) xss.wrong.push(`${url}`);
    return null;
  };
  const keep = (event: Event) => {
    const link = event.composedPath().find((one) => (one as Element).localName === 'a');
    if (link && harmless.test((link as HTMLAnchorElement).href)) event.preventDefault();
  };
  addEventListener('click', keep, true);
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    xss.wrong.push(`${violatedDirective} ${blockedURI} ${sample}`),
  );
}

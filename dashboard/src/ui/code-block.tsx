import { CopyButton } from './copy-button.tsx';

/** Code or a secret, with a button that copies it. With `autoFocus` that button has the focus. */
export function CodeBlock({ code, label, autoFocus = false }: { code: string; label: string; autoFocus?: boolean }) {
  return (
    <figure className="overflow-hidden rounded-6 border border-line bg-ground">
      <figcaption className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-3 text-12 text-soft">
        {label}
        <CopyButton value={code} autoFocus={autoFocus} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto p-3 font-mono text-13 leading-5 whitespace-pre focus-visible:-outline-offset-2"
      >
        {code}
      </pre>
    </figure>
  );
}

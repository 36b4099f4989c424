import { lazy, Suspense } from 'react';
import type { TextEditorProps } from './text-editor.tsx';

const load = () => import('./text-editor.tsx');
const LazyEditor = lazy(load);

/** Loads the editor together with the tab that shows it. */
export function preloadTextEditor(): void {
  // Without a connection, the field itself tries again and says what is wrong.
  load().catch(() => undefined);
}

/** The editor. Until its code has arrived, its place is kept. */
export function TextEditor(props: TextEditorProps) {
  return (
    <Suspense fallback={<div aria-busy className="h-32 rounded-6 border border-edge bg-surface" />}>
      <LazyEditor {...props} />
    </Suspense>
  );
}

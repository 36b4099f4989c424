export { EditorBar } from './editor-bar.tsx';
export { useAudience } from './use-explanation.ts';

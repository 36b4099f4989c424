export { EditorBar } from './editor-bar.tsx';

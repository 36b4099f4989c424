import { basicSetup, EditorView } from 'codemirror';

document.getElementById('root').innerHTML = '<h1>CodeMirror</h1><div id="editor" style="height:400px"></div>';
window.editor = new EditorView({
  doc: Array.from({ length: 200 }, (_, index) => `const line${index} = ${index}`).join('\n'),
  extensions: [basicSetup, EditorView.theme({ '&': { height: '400px' } })],
  parent: document.getElementById('editor'),
});

import { convertToExcalidrawElements, Excalidraw } from '@excalidraw/excalidraw';
import '@excalidraw/excalidraw/index.css';
import { createRoot } from 'react-dom/client';

window.EXCALIDRAW_ASSET_PATH = '/excalidraw-assets/';
const elements = convertToExcalidrawElements([
  { type: 'rectangle', x: 300, y: 250, width: 120, height: 80 },
  { type: 'ellipse', x: 500, y: 300, width: 100, height: 100 },
]);
const initialData = {
  elements,
  appState: { selectedElementIds: Object.fromEntries(elements.map(({ id }) => [id, true])) },
};

createRoot(document.getElementById('root')).render(
  <div style={{ height: '100vh' }}>
    <Excalidraw
      initialData={initialData}
      handleKeyboardGlobally
      excalidrawAPI={(api) => {
        window.drawing = api;
      }}
    />
  </div>,
);

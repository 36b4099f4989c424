import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFolder, findPort, startProcess } from './process.ts';
import { snippetAsFile, type UsherAddress } from './snippet.ts';

const program = fileURLToPath(new URL('../node_modules/node-red/red.js', import.meta.url));

const flows = [
  { id: 'f1', type: 'tab', label: 'Flow 1' },
  { id: 'f2', type: 'tab', label: 'Flow 2' },
  { id: 'n1', type: 'comment', z: 'f1', name: 'First', x: 200, y: 100, wires: [] },
  { id: 'n2', type: 'comment', z: 'f1', name: 'Second', x: 200, y: 200, wires: [] },
];

/** Starts Node-RED. Its setting for additional scripts of the editor adds the snippet. */
export async function startNodeRed(usher: UsherAddress) {
  const { folder, remove } = createFolder();
  const port = await findPort();
  const snippet = join(folder, 'usher.js');
  writeFileSync(snippet, snippetAsFile(usher));
  writeFileSync(join(folder, 'flows.json'), JSON.stringify(flows));
  const settings = {
    ...{ uiPort: port, uiHost: '127.0.0.1', userDir: folder, flowFile: 'flows.json', credentialSecret: false },
    ...{ telemetry: { enabled: false, updateNotification: false } },
    ...{ editorTheme: { tours: false, page: { scripts: [snippet] }, palette: { catalogues: [] } } },
  };
  const middleware = `(request, response, next) => { response.setHeader("Cross-Origin-Opener-Policy", "same-origin"); next(); }`;
  writeFileSync(
    join(folder, 'settings.js'),
    `module.exports = { ...${JSON.stringify(settings)}, httpAdminMiddleware: ${middleware} }`,
  );
  const running = await startProcess([program, '-s', join(folder, 'settings.js'), '-u', folder], /Started flows/);
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      await running.stop();
      remove();
    },
  };
}

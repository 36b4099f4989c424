import { writeFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFolder, findPort, startProcess } from './process.ts';
import { snippetOf, type UsherAddress } from './snippet.ts';

const program = fileURLToPath(new URL('../node_modules/verdaccio/bin/verdaccio', import.meta.url));

/**
 * Starts Verdaccio with two packages in it. Its setting for additional elements of the head adds the snippet. Its content security
 * policy is fixed, so a proxy in front of it allows requests to Usher.
 */
export async function startVerdaccio(usher: UsherAddress) {
  const { folder, remove } = createFolder();
  const port = await findPort();
  const url = `http://127.0.0.1:${port}/`;
  // A JSON file is also a YAML file.
  const config = {
    ...{ storage: join(folder, 'storage'), uplinks: {}, log: { type: 'stdout', format: 'pretty', level: 'http' } },
    ...{ packages: { '**': { access: '$all', publish: '$all' } }, auth: { htpasswd: { file: join(folder, 'users') } } },
    web: { title: 'Packages', metaScripts: [snippetOf(usher)] },
  };
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config));
  const running = await startProcess(
    [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    /http address/,
  );
  for (const name of ['alpha', 'beta']) await publish(url, name);
  const proxy = await startProxy(port, usher.url);
  return {
    url: proxy.url,
    stop: async () => {
      proxy.stop();
      await running.stop();
      remove();
    },
  };
}

async function publish(url: string, name: string): Promise<void> {
  const file = `${name}-1.0.0.tgz`;
  const readme = `# ${name}\n\n${'A long description.\n\n'.repeat(60)}`;
  const version = { name, version: '1.0.0', description: name, readme, dist: { tarball: `${url}${name}/-/${file}` } };
  const data = Buffer.from(name).toString('base64');
  const response = await fetch(url + name, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ _id: name, name, readme, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } },
      _attachments: { [file]: { content_type: 'application/octet-stream', data, length: name.length } },
    }),
  });
  if (!response.ok) throw new Error(`Verdaccio did not accept ${name}: ${await response.text()}`);
}

async function startProxy(port: number, usherUrl: string) {
  const server = createServer((request, response) => {
    const { url, method, headers } = request;
    const passed = sendRequest({ host: '127.0.0.1', port, path: url, method, headers }, (received) => {
      const policy = received.headers['content-security-policy'];
      if (policy) received.headers['content-security-policy'] = String(policy).replace("'self'", `'self' ${usherUrl}`);
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

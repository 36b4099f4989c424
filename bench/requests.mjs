/*
 * Sends requests one after the other, forever. It is a separate process, because reading long responses would disturb the
 * measurement. It sends 'ready', begins after the message `{ port, secret, requests }`, and sends 'done' after each round. `{n}` in a
 * path or a body stands for the number of the round, counted from `from`.
 */

process.on('message', async (message) => {
  const {
    port,
    secret,
    requests,
    from = 0,
  } = /** @type {{ port: number, secret: string, requests: [string, string, unknown?][], from?: number }} */ (message);
  for (let n = from; ; n++) {
    for (const [method, path, content] of requests) {
      const response = await fetch(`http://127.0.0.1:${port}${path.replace('{n}', String(n))}`, {
        method,
        headers: { 'x-account-secret': secret },
        ...(content !== undefined && { body: JSON.stringify(content).replace('{n}', String(n)) }),
      });
      let bytes = 0;
      let start = '';
      for await (const chunk of response.body ?? []) {
        if (bytes === 0) start = Buffer.from(chunk).toString('utf8', 0, 300);
        bytes += chunk.length;
      }
      if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${start}`);
    }
    process.send?.('done');
  }
});
process.send?.('ready');

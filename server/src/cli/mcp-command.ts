import { setTimeout as pause } from 'node:timers/promises';
import { callServer, readServer } from './call-server.ts';
import { CommandError } from './errors.ts';

/*
 * Serves an assistant on this machine by its standard input and output. The tools are those of a running server.
 */

interface McpOptions {
  url?: string;
  server?: string;
  secret?: string;
}

interface About {
  serverInfo: { name: string; version: string };
  instructions?: string;
}

const PROTOCOL = '2025-06-18';

export async function runMcp(
  { url, server: at = url, secret: given }: McpOptions,
  env: Record<string, string | undefined>,
  untilStopped: () => Promise<unknown>,
): Promise<void> {
  const { server: address, secret } = readServer({ ...(at && { server: at }), ...(given && { secret: given }) }, env);
  let id = 0;
  const request = async <Result>(method: string, params: object): Promise<Result> => {
    const response = await callServer(address, secret, '/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': PROTOCOL,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    });
    return readResult(address, response);
  };
  const about = await request<About>('initialize', {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: 'usher mcp', version: '1' },
  });
  const { Server } = await import('@modelcontextprotocol/server');
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { serverInfo, instructions = '' } = about;
  const served = serveStdio(() => {
    const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions });
    server.setRequestHandler('tools/list', () => request('tools/list', {}));
    server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }) =>
      request('tools/call', { name, arguments: args }),
    );
    return server;
  });
  const closed = new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  await Promise.race([closed, untilStopped()]);
  // What was answered last may still be on its way to the assistant.
  await pause(0);
  await served.close();
}

interface Answer<Result> {
  result?: Result;
  error?: { message: string };
  messages?: string[];
}

async function readResult<Result>(address: string, response: Response): Promise<Result> {
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const json = isStream ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text;
  const answer = parse<Answer<Result>>(json);
  if (answer?.result !== undefined) return answer.result;
  const message = answer?.messages?.join('\n') ?? answer?.error?.message;
  throw new CommandError(message ?? `${address} answered ${response.status}: is it an Usher?`);
}

function parse<Value>(json: string): Value | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

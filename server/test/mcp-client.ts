import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';

interface Called {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its result
  body: any;
}

/** A client of assistants, as its makers publish it. */
export interface Assistant {
  client: Client;
  listTools(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
}

export async function connectAssistant(
  transport: Parameters<Client['connect']>[0],
  options?: ConstructorParameters<typeof Client>[1],
): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      return { isError, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
    },
  };
}

export function httpTransport(url: string, secret: string): StreamableHTTPClientTransport {
  const requestInit = { headers: { Authorization: `Bearer ${secret}` } };
  return new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit });
}

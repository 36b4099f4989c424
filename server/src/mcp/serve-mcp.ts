import type { AppContext } from '../context.ts';
import { ApiError, forbidden, invalid } from '../errors.ts';
import { isJson, parseBody } from '../http/body.ts';
import { checkCaller } from '../http/check-caller.ts';
import type { Handler } from '../http/endpoint.ts';
import { toApiError } from '../http/error-response.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { HttpResponse } from '../http/http-response.ts';
import type { AuthenticateRequest } from '../http/limits.ts';
import { MAX_BODY, receiveBody } from '../http/receive.ts';
import type { Route } from '../http/route.ts';
import type { HttpServer } from '../http/server.ts';
import type { Log } from '../log/log.ts';
import { version } from '../settings/version.ts';
import { callTool, type ToolCall, type ToolResult, toolError } from './call-tool.ts';
import { checkBrowser } from './check-browser.ts';
import { instructions } from './instructions.ts';
import { readSecret } from './read-secret.ts';
import { buildTools, describeTools, type Tool } from './tool-table.ts';

interface McpDependencies {
  app: AppContext;
  authenticate: AuthenticateRequest;
  routes: readonly Route[];
  handlerOf: (route: Route) => Handler;
  bodyTimeout: number;
  log: Log;
}

/** The headers of a request that the protocol uses. No other header reaches the library. */
const protocolHeaders = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'];

/**
 * The endpoint for assistants, which speaks the Model Context Protocol. Nothing is kept between two requests, so that any
 * node can answer each of them.
 */
export function addMcp(server: HttpServer, deps: McpDependencies): void {
  const { app, authenticate, bodyTimeout } = deps;
  let loading: ReturnType<typeof loadTools> | undefined;

  server.add(['POST'], '/mcp', async (request) => {
    checkBrowser(request, app.publicUrl);
    const secret = readSecret(request.headers);
    if (secret === undefined)
      throw forbidden(
        'Give the account secret as `Authorization: Bearer <secret>`, or in the header `X-Account-Secret`',
      );
    const caller = await authenticate(secret, request);
    request.accountId = caller.account.id;
    checkCaller({ permission: null }, caller, request.ip);
    const message = await readMessage(request, bodyTimeout);
    loading ??= loadTools(deps);
    const serve = await loading;
    return serve(message, { caller, secret, request });
  });
}

/** Reads one message. A list of them would be counted as one request. */
async function readMessage(request: HttpRequest, timeout: number): Promise<object> {
  const body = await receiveBody(request, { size: MAX_BODY, timeout });
  const message: unknown = body && isJson(body) ? await parseBody(body, 'application/json') : undefined;
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    throw invalid('The body must be one JSON-RPC message');
  return message;
}

/** Loads the library when the first assistant calls: it takes 0.2 s, and most servers never need it. */
async function loadTools({ app, routes, handlerOf, log }: McpDependencies) {
  const { createMcpHandler, Server } = await import('@modelcontextprotocol/server');
  const tools = buildTools(routes);
  const handlers = new Map([...tools.values()].map((tool) => [tool.name, handlerOf(tool.route)]));

  const run = async (name: string, args: Record<string, unknown>, call: ToolCall): Promise<ToolResult> => {
    try {
      const handle = handlers.get(name);
      if (!handle) throw new ApiError(404, ['There is no tool with this name: list the tools']);
      return await callTool(tools.get(name) as Tool, handle, args, call);
    } catch (error) {
      const apiError = toApiError(error, app.storage);
      if (apiError.code >= 500) log.error({ err: error, tool: name }, 'tool call failed');
      return toolError(apiError);
    }
  };

  return async (message: object, call: ToolCall): Promise<HttpResponse> => {
    const handler = createMcpHandler(
      () => {
        const server = new Server({ name: 'usher', version }, { capabilities: { tools: {} }, instructions });
        server.setRequestHandler('tools/list', () => ({ tools: describeTools(tools, call.caller) }));
        server.setRequestHandler('tools/call', ({ params }) => run(params.name, params.arguments ?? {}, call));
        return server;
      },
      { keepAliveMs: 0, maxSubscriptions: 0 },
    );
    const { headers: incoming } = call.request;
    const headers = protocolHeaders.flatMap((name) =>
      incoming[name] === undefined ? [] : [[name, String(incoming[name])]],
    );
    const request = new Request(`${app.publicUrl}/mcp`, {
      method: 'POST',
      headers: headers as [string, string][],
      body: JSON.stringify(message),
      signal: call.request.signal,
    });
    const response = await handler.fetch(request, { parsedBody: message });
    return toHttpResponse(response.status, await response.text());
  };
}

/** A stream of one event is sent as JSON, which every client reads too. The library chooses streams for older clients. */
function toHttpResponse(status: number, text: string): HttpResponse {
  const [, json = text] = /^event: message\ndata: (.*)\n\n$/.exec(text) ?? [];
  return new HttpResponse(status, json);
}

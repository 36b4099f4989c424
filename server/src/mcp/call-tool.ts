import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Caller } from '../context.ts';
import { type ApiError, forbidden, invalid, notFound } from '../errors.ts';
import type { Handler } from '../http/endpoint.ts';
import { errorBody } from '../http/error-response.ts';
import type { HttpRequest } from '../http/http-request.ts';
import type { HttpResponse } from '../http/http-response.ts';
import { explainForbidden, type Tool } from './tool-table.ts';

export interface ToolCall {
  caller: Caller;
  secret: string;
  /** The request that the call came with. */
  request: HttpRequest;
}

export interface ToolResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError: boolean;
}

/** Runs the route of a tool as a request of its own, with everything that a request of the API goes through. */
export async function callTool(tool: Tool, handle: Handler, args: Args, call: ToolCall): Promise<ToolResult> {
  const problem = explainForbidden(tool, call.caller);
  if (problem !== undefined) throw forbidden(problem);
  const response = await handle(call.request.innerRequest(toRequest(tool, args, call.secret)));
  return { content: [{ type: 'text', text: await readText(response) }], isError: response.status >= 400 };
}

/** An error of the API as the result of a tool, so that the assistant can read what to do. */
export function toolError(error: ApiError): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(errorBody(error)) }], isError: true };
}

type Args = Readonly<Record<string, unknown>>;

function toRequest({ route, method, inputSchema, defaults, fixed }: Tool, args: Args, secret: string) {
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(inputSchema.properties, name));
  if (unknown.length > 0)
    throw invalid(...unknown.slice(0, 20).map((name) => `${quote(name)} is no parameter of this tool`));
  const all: Record<string, unknown> = { ...defaults, ...args, ...fixed };
  const params: Record<string, string> = {};
  for (const name of route.pathParameters) {
    const value = all[name];
    if (typeof value !== 'string' || value === '') throw invalid(`${quote(name)} is required: give a text`);
    const allowed = route.pathValues[name];
    if (allowed && !allowed.includes(value)) throw notFound(name);
    params[name] = value;
  }
  const fields = Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(params, name)));
  const headers = { 'x-account-secret': secret, 'content-type': 'application/json' };
  return { method, url: route.path, headers, params, body: Buffer.from(JSON.stringify(fields)) };
}

function quote(name: string): string {
  return `\`${name.slice(0, 200).toWellFormed()}\``;
}

async function readText({ body }: HttpResponse): Promise<string> {
  return (body instanceof Readable ? await buffer(body) : body).toString();
}

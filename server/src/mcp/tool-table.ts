import type { JSONObject } from '@modelcontextprotocol/server';
import { explainMissing, hasPermission } from '@usher/domain';
import type { Caller } from '../context.ts';
import { NO_PEOPLE } from '../http/check-caller.ts';
import type { Method, Route } from '../http/route.ts';
import { type ToolDefinition, toolDefinitions } from './tools.ts';

/** The schema of an object, as JSON. */
type ObjectSchema = {
  type: 'object';
  properties: Record<string, JSONObject>;
  required: string[];
  additionalProperties: false;
};

/** A tool with the route that it runs. */
export interface Tool extends ToolDefinition {
  route: Route;
  method: Method;
  inputSchema: ObjectSchema;
}

export function buildTools(routes: readonly Route[]): ReadonlyMap<string, Tool> {
  return new Map(
    toolDefinitions.map((definition) => {
      const [method, path] = definition.endpoint.split(' ') as [Method, string];
      const route = routes.find((route) => route.path === path && route.methods.includes(method));
      if (!route) throw new Error(`There is no endpoint ${definition.endpoint}`);
      return [definition.name, { ...definition, route, method, inputSchema: schemaOf(definition, route) }];
    }),
  );
}

/** The tools that a caller may use, as the protocol lists them. */
export function describeTools(tools: ReadonlyMap<string, Tool>, caller: Caller) {
  return [...tools.values()]
    .filter((tool) => explainForbidden(tool, caller) === undefined)
    .map(({ name, title, description, inputSchema, route, isDestructive = false }) => ({
      name,
      title,
      description,
      inputSchema,
      annotations: {
        title,
        readOnlyHint: route.permission === 'read',
        destructiveHint: isDestructive,
        openWorldHint: false,
      },
    }));
}

/** Why a caller may not use a tool; undefined if they may. */
export function explainForbidden({ route: { permission, showsPeople } }: Tool, { actor }: Caller): string | undefined {
  const grant = { role: actor.role, scope: actor.secret?.scope };
  if (permission !== null && !hasPermission(grant, permission)) return explainMissing(grant, permission);
  if (showsPeople && !actor.secret?.people) return NO_PEOPLE;
  return undefined;
}

function schemaOf({ without = [], fixed = {} }: ToolDefinition, route: Route): ObjectSchema {
  const { properties = {}, required = [] } = route.parameters as { properties?: object; required?: string[] };
  const isOwn = (name: string) => !without.includes('*') && !without.includes(name) && !Object.hasOwn(fixed, name);
  const own = Object.entries(properties).filter(([name]) => isOwn(name) && !route.pathParameters.includes(name));
  const inPath = route.pathParameters.filter((name) => !Object.hasOwn(fixed, name));
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(inPath.map((name) => [name, pathSchema(route, name)])),
      ...Object.fromEntries(own.map(([name, schema]) => [name, simplify(name, schema)])),
    },
    required: [...inPath, ...required.filter((name) => own.some(([one]) => one === name))],
    additionalProperties: false,
  };
}

function pathSchema({ pathValues }: Route, name: string): JSONObject {
  const values = pathValues[name];
  return values ? { type: 'string', enum: [...values] } : { type: 'string', description: 'an ID' };
}

/** The parts of an Experience have 200 fields, which `authoring_guide` lists. In every list of tools they would cost too much. */
function simplify(name: string, schema: object): JSONObject {
  if (name !== 'steps' && name !== 'items') return JSON.parse(JSON.stringify(schema));
  const description = `a list of ${name}, with the fields that \`authoring_guide\` describes`;
  return { type: 'array', items: { type: 'object' }, description };
}

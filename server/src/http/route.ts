import { compileReader, type Reading } from '@usher/domain';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import type { Context } from '../context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `'/v3/edit/urls/:id'` has `{id: string}`. */
type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [Key in Name]: string } & PathParameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { [Key in Name]: string }
    : unknown;

interface RouteDefinition<Path extends string, Parameters extends TSchema, Answer extends TSchema> {
  methods: readonly Method[];
  path: Path;
  /** One line for the API reference. */
  summary: string;
  /** Viewers may only read. Left out: GET reads, everything else writes. */
  access?: 'read' | 'write';
  parameters?: Parameters;
  /** Parameters that a newcomer can send as they stand. */
  example?: Record<string, unknown>;
  status?: number;
  answer: Answer;
  run(ctx: Context, parameters: Static<Parameters> & PathParameters<Path>): Promise<Static<Answer>>;
}

/** An endpoint as the HTTP ground, the API reference and the tests see it. */
export interface Route {
  methods: readonly Method[];
  path: string;
  summary: string;
  access: 'read' | 'write';
  parameters: TSchema & { properties?: TProperties };
  pathParameters: readonly string[];
  example: Record<string, unknown> | undefined;
  status: number;
  answer: TSchema;
  read(given: unknown, now: number): Reading<Record<string, unknown>>;
  run(ctx: Context, parameters: Record<string, unknown>): Promise<unknown>;
}

export function route<
  Path extends string,
  Answer extends TSchema,
  Parameters extends TSchema = ReturnType<typeof nothing>,
>(definition: RouteDefinition<Path, Parameters, Answer>): Route {
  const parameters = definition.parameters ?? nothing();
  return {
    ...definition,
    access: definition.access ?? (definition.methods.every((method) => method === 'GET') ? 'read' : 'write'),
    parameters,
    pathParameters: [...definition.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string),
    example: definition.example,
    status: definition.status ?? 200,
    read: compileReader(parameters),
    run: definition.run as Route['run'],
  };
}

function nothing() {
  return Type.Object({});
}

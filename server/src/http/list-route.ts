import { Cursor, OutputObject, pageParameters } from '@usher/domain';
import type { SelectQueryBuilder } from 'kysely';
import Type, { type TSchema } from 'typebox';
import type { Context } from '../context.ts';
import { listPage } from '../db/pagination/list-page.ts';
import type { Schema } from '../db/schema.ts';
import { type Route, route } from './route.ts';

interface ListRouteDefinition<Tables extends keyof Schema, Row extends { id: string }> {
  path: string;
  summary: string;
  /** The key of the list in the response. */
  name: string;
  item: TSchema;
  query(ctx: Context): SelectQueryBuilder<Schema, Tables, Row>;
  present(row: Row, ctx: Context): unknown;
}

/** A route that lists all records of one kind page by page, newest first. */
export function listRoute<Tables extends keyof Schema, Row extends { id: string }>({
  path,
  summary,
  name,
  item,
  query,
  present,
}: ListRouteDefinition<Tables, Row>): Route {
  return route({
    methods: ['GET'],
    path,
    summary,
    parameters: Type.Object(pageParameters),
    output: OutputObject({ [name]: Type.Array(item), cursor: Cursor }),
    run: async (ctx, page) => {
      const { rows, cursor } = await listPage(query(ctx), page);
      return { [name]: rows.map((row) => present(row, ctx)), cursor };
    },
  });
}

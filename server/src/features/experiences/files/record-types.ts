import {
  type ExperienceKind,
  type FieldSchema,
  fieldsOfKind,
  initialValues,
  initialValuesOf,
  kindOfPath,
  kindPaths,
  kinds,
  toFileFields,
  toJsonSchema,
} from '@usher/domain';
import type { Route } from '../../../http/route.ts';

/** A kind of record that can be kept as files. It follows from the endpoint that creates such records. */
export interface RecordType {
  /** The folder of its files: the last word of the path. */
  folder: string;
  /** The parameters of the path. */
  path: Record<string, string>;
  /** Only Experiences have one. */
  kind: ExperienceKind | undefined;
  fields: FieldSchema;
  /** The values of the fields that a file can leave out. */
  initial: Record<string, unknown>;
  create: Route;
  list: Route;
  change: Route;
  /** Replaces all fields, if there is such an endpoint. Other records are of another service, or of files. */
  replace: Route | undefined;
}

/** The record types of a table of endpoints, in its order. Experiences come first, because limit groups are only about them. */
export function listRecordTypes(routes: readonly Route[]): RecordType[] {
  const find = (method: string, path: string) =>
    routes.find((route) => route.path === path && route.methods.some((one) => one === method));
  const types = routes
    .filter((route) => route.inFiles)
    .flatMap((create) => {
      const list = find('GET', create.path);
      const change = find('PATCH', `${create.path}/:id`);
      if (!list || !change) throw new Error(`${create.path} is in files, but cannot be listed and changed`);
      const replace = find('POST', `${create.path}/:id/import`);
      // `apply` checks one permission for all of them.
      for (const one of [create, change, replace])
        if (one && one.permission !== 'edit') throw new Error(`${one.path} is in files, but needs another permission`);
      const folders = create.path.endsWith('/:kind') ? kindPaths : [create.path.split('/').at(-1) ?? ''];
      return folders.map((folder): RecordType => {
        const kind = kindOfPath(folder);
        const path: Record<string, string> = kind ? { kind: folder } : {};
        const fields = toFileFields(create.parameters, create.ignored?.(path));
        const initial = kind ? initialOf(kind, fields) : initialValuesOf(fields);
        return { folder, path, kind, fields, initial, create, list, change, replace };
      });
    });
  return types.toSorted((one, other) => Number(other.kind !== undefined) - Number(one.kind !== undefined));
}

function initialOf(kind: ExperienceKind, { properties = {} }: FieldSchema): Record<string, unknown> {
  const initial: Record<string, unknown> = { ...initialValues(fieldsOfKind(kind)), [kinds[kind].parts]: [] };
  return Object.fromEntries(
    Object.keys(properties).flatMap((name) => (initial[name] === undefined ? [] : [[name, initial[name]]])),
  );
}

/** The JSON Schema of the files of each folder. */
export function describeFiles(types: readonly RecordType[]): Map<string, object> {
  return new Map(
    types.map(({ folder, kind, fields }) => {
      const own = kind ? { ...fields, properties: { kind: { enum: [kind] }, ...fields.properties } } : fields;
      return [folder, toJsonSchema(folder, own, kind !== undefined)];
    }),
  );
}

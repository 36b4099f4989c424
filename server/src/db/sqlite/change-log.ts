/** The table in which triggers note the keys of changed rows while a file is compacted. */
export const CHANGE_LOG = 'compact_changes';
const TRIGGER = 'compact_';

/** Reads all rows of a query without values. */
export type ReadAll = <Row>(sql: string) => Row[];
export type Exec = (sql: string) => void;

export interface LoggedTable {
  name: string;
  /** The columns that are stored. */
  columns: string[];
  /** The columns of the primary key. */
  key: string[];
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const keyColumn = (_: unknown, at: number): string => `k${at}`;

export function listTables(read: ReadAll): LoggedTable[] {
  const tables = read<{ name: string }>(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> '${CHANGE_LOG}'`,
  );
  return tables.map(({ name }) => {
    const text = name.replaceAll("'", "''");
    const columns = read<{ name: string; pk: number }>(`select name, pk from pragma_table_info('${text}')`);
    const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
    return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
  });
}

/** Call it in a transaction. Columns without a type keep keys as they are. */
export function createChangeLog(tables: readonly LoggedTable[], exec: Exec): void {
  const longest = Math.max(...tables.map(({ key }) => key.length));
  const keys = Array.from({ length: longest }, keyColumn).join(', ');
  exec(`create table ${CHANGE_LOG} (id integer primary key, tbl text not null, ${keys})`);
  for (const [at, { name, key }] of tables.entries()) {
    const columns = key.map(quote);
    const note = (row: 'old' | 'new') =>
      `begin insert into ${CHANGE_LOG} (tbl, ${key.map(keyColumn).join(', ')})
        values ('${name.replaceAll("'", "''")}', ${columns.map((column) => `${row}.${column}`).join(', ')}); end`;
    exec(`create trigger ${TRIGGER}insert_${at} after insert on ${quote(name)} ${note('new')};
      create trigger ${TRIGGER}update_${at} after update on ${quote(name)} ${note('new')};
      create trigger ${TRIGGER}move_${at} after update of ${columns.join(', ')} on ${quote(name)} ${note('old')};
      create trigger ${TRIGGER}delete_${at} after delete on ${quote(name)} ${note('old')}`);
  }
}

/** Call it in a transaction. Returns whether there was one. */
export function dropChangeLog(read: ReadAll, exec: Exec, schema = 'main'): boolean {
  const left = read<{ type: string; name: string }>(
    `select type, name from ${schema}.sqlite_schema
     where name = '${CHANGE_LOG}' or (type = 'trigger' and name like '${TRIGGER}%') order by type desc`,
  );
  for (const { type, name } of left) exec(`drop ${type} ${schema}.${quote(name)}`);
  return left.length > 0;
}

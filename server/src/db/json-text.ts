/** SQL about JSON for the texts of prepared statements, which each engine writes in its own way. */
export interface JsonText {
  /** Whether a text is in a list, which is passed as JSON. */
  isAmong(text: string, list: string): string;
  /** The columns as one JSON list: the driver takes longer for a column than the JSON parser for a value. */
  list(columns: readonly string[]): string;
  /** These columns of all rows as one JSON list of lists. */
  rows(columns: readonly string[]): string;
  /** A JSON list of lists as a table. `types` has the names of its columns, with their types on PostgreSQL. */
  table(list: string, types: Readonly<Record<string, string>>): string;
}

export const jsonTexts: Record<'sqlite' | 'postgres', JsonText> = {
  sqlite: {
    isAmong: (text, list) => `${text} in (select value from json_each(${list}))`,
    list: (columns) => `json_array(${columns.join(', ')})`,
    rows: (columns) => `json_group_array(json_array(${columns.join(', ')}))`,
    table: (list, types) => {
      const columns = Object.keys(types).map((name, at) => `value ->> ${at} as ${name}`);
      return `(select ${columns.join(', ')} from json_each(${list}))`;
    },
  },
  postgres: {
    isAmong: (text, list) => `${text} = any(array(select jsonb_array_elements_text(${list}::jsonb)))`,
    list: (columns) => `json_build_array(${columns.join(', ')})::text`,
    rows: (columns) => `coalesce(json_agg(json_build_array(${columns.join(', ')})), '[]')::text`,
    // Lists in jsonb are faster here than objects, json or one array for each column.
    table: (list, types) => {
      const columns = Object.entries(types).map(([name, type], at) => `(value ->> ${at})::${type} as ${name}`);
      return `(select ${columns.join(', ')} from jsonb_array_elements(${list}::jsonb) as value)`;
    },
  },
};

/** JSON columns and JSON texts as one JSON list. */
export function joinJson(parts: readonly string[]): string {
  return `'[' || ${parts.map((part) => `cast(${part} as text)`).join(` || ',' || `)} || ']'`;
}

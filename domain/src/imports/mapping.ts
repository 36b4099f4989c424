import { normalizeKey } from '../ingestion/key.ts';
import { reservedCompanyKeys, reservedProfileKeys } from '../ingestion/reserved-keys.ts';
import { IMPORT_TAGS, type ImportKind, type ImportMapping, type ImportModel, isFileImport } from './import.ts';

const COMPANY = 'company.';
const finding = { profile: ['id', 'uid', 'email'], company: ['id', 'uid'] } as const;
/** What a column can set beside custom properties. */
const fixed: Record<ImportModel, ReadonlySet<string>> = {
  profile: new Set(['id', 'uid', 'email', 'company_id', 'company_uid']),
  company: new Set(['id', 'uid']),
};
const reserved = { profile: reservedProfileKeys, company: reservedCompanyKeys };
/** The usual names of the column with the customer's own ID, the surest first. */
const uidColumns: Record<ImportModel, readonly string[]> = {
  profile: ['uid', 'user_id', 'external_id', 'customer_id', 'id'],
  company: ['uid', 'company_uid', 'company_id', 'external_id', 'customer_id', 'id'],
};

/** What a column sets, in its normalized form: `company.Plan Name` is `company.plan_name`. */
export function normalizeProp(prop: string, model: ImportModel): string {
  const isOfCompany = model === 'profile' && prop.startsWith(COMPANY);
  const key = normalizeKey(isOfCompany ? prop.slice(COMPANY.length) : prop);
  return isOfCompany && key !== '' ? COMPANY + key : key;
}

/** Names every column: an empty name becomes its number, and a name that appears again gets a number. */
export function nameColumns(cells: readonly string[]): string[] {
  const used = new Set<string>();
  return cells.map((cell, index) => {
    const name = cell.trim().slice(0, 200) || `Column ${index + 1}`;
    let unique = name;
    for (let number = 2; used.has(unique); number++) unique = `${name} (${number})`;
    used.add(unique);
    return unique;
  });
}

/** What is wrong with the mapping of columns, with or without a file. */
export function findMappingProblems(
  properties: readonly ImportMapping[],
  model: ImportModel,
  columns: readonly string[] | null,
): string[] {
  const problems: string[] = [];
  const names = new Set<string>();
  const props = new Set<string>();
  for (const [index, { name, prop }] of properties.entries()) {
    const at = `\`properties[${index}]`;
    if (columns && !columns.includes(name))
      problems.push(`${at}.name\` is “${name}”, which is no column of the file: its columns are ${listNames(columns)}`);
    if (names.has(name)) problems.push(`${at}.name\` is “${name}” again: name each column once`);
    if (prop === '') problems.push(`${at}.prop\` has no letter or digit: give a key such as \`plan\``);
    else if (props.has(prop)) problems.push(`${at}.prop\` is \`${prop}\` again: only one column can set it`);
    if (reserved[model].has(prop) && !fixed[model].has(prop))
      problems.push(
        `${at}.prop\` is \`${prop}\`, which no import can set${prop === 'company' ? ': give `company_uid`, or `company.name` beside it' : ''}`,
      );
    if (prop === IMPORT_TAGS) problems.push(`${at}.prop\` is \`${prop}\`, which only imports of the kind tag set`);
    names.add(name);
    props.add(prop);
  }
  return problems;
}

/** Why an import cannot start with this mapping. */
export function findStartProblems(
  kind: ImportKind,
  model: ImportModel,
  onMissing: 'create' | 'ignore',
  properties: readonly ImportMapping[],
): string[] {
  if (!isFileImport(kind)) return [];
  const props = new Set(properties.map(({ prop }) => prop));
  const creates = onMissing === 'create' && kind !== 'delete_csv';
  if (creates && !props.has('uid'))
    return [
      '`properties` must map a column to `uid` when missing ones are created: map it, or set `on_model_missing` to `ignore`',
    ];
  if (finding[model].some((prop) => props.has(prop))) return [];
  return [`\`properties\` must map a column to ${finding[model].map((prop) => `\`${prop}\``).join(' or ')}`];
}

/** The mapping that the names of the columns suggest. Nothing is mapped to our own ID. */
export function suggestMapping(columns: readonly string[], model: ImportModel): ImportMapping[] {
  const keys = columns.map((column) => normalizeKey(column));
  const uid = uidColumns[model].find((key) => keys.includes(key));
  const used = new Set<string>();
  return columns.flatMap((name, index) => {
    const key = keys[index] ?? '';
    const prop = key === uid ? 'uid' : model === 'profile' && key === 'company_id' ? 'company_uid' : key;
    const isOther = prop === '' || prop === 'id' || prop === IMPORT_TAGS || used.has(prop);
    if (isOther || (reserved[model].has(prop) && !fixed[model].has(prop))) return [];
    used.add(prop);
    return [{ name, prop }];
  });
}

/** Reads the cells of one row as the parameters of the endpoint for one profile or Company. Empty cells change nothing. */
export function toImportParams(
  cells: readonly string[],
  columns: readonly string[],
  properties: readonly ImportMapping[],
  kind: ImportKind,
  model: ImportModel,
): Record<string, unknown> {
  const params: Record<string, unknown> = Object.create(null);
  let company: Record<string, unknown> | undefined;
  for (const { name, prop } of properties) {
    const cell = cells[columns.indexOf(name)] ?? '';
    const value = fixed[model].has(prop) ? cell.trim() : cell;
    const isRead = kind === 'update_csv' || (finding[model] as readonly string[]).includes(prop);
    if (value.trim() === '' || !isRead) continue;
    if (model === 'profile' && prop.startsWith(COMPANY)) {
      company ??= Object.create(null) as Record<string, unknown>;
      company[prop.slice(COMPANY.length)] = value;
    } else params[prop] = value;
  }
  if (company) params.company = company;
  // An email changes a profile that its uid finds only if the import updates profiles.
  if (kind !== 'update_csv' && (params.uid !== undefined || params.id !== undefined)) delete params.email;
  return params;
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => `“${name}”`);
  return names.length > 10 ? `${shown.join(', ')} and ${names.length - 10} others` : shown.join(', ');
}

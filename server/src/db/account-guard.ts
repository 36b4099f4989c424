import { keysOf } from '@usher/domain';
import type { KyselyPlugin, OperationNode, RootOperationNode, UnknownRow } from 'kysely';
import { type Db, tables } from './schema.ts';

const tenantTables = new Set<string>(keysOf(tables).filter((name) => tables[name] === 'tenant'));
/** Matches a tenant table as a source of rows: followed by a dot it only qualifies a column, and after `of` it names a lock. */
const tenantTableInText = new RegExp(`(?<!\\bof\\s+"?)\\b(${[...tenantTables].join('|')})\\b(?!"?\\s*\\.)`, 'gi');
const accountConditionInText = /\b(where|and|on)[\s(]+([\w"]+\.)?"?account_id"?\s*=\s*$/i;
const insertedAccountInText = /\binto\s+[\w"]+\s*\(\s*"?account_id"?\s*,[^()]*\)\s*(values\s*\(|select)\s*$/i;
/** OR and UNION could undo a condition, a second row of values could have another account, and no row changes its account. */
const uncheckedInText =
  /\bor\b|\binto\b.*(\bunion\b|\bvalues\b.*\)\s*,\s*\()|(\bset|,)\s*([\w"]+\.)?"?account_id"?\s*=/is;
const checkedStatements = new Set([
  'SelectQueryNode',
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
  'RawNode',
]);

/**
 * Rejects every query on a tenant table without `account_id = <the account>`: in the WHERE of a select, update or delete,
 * in the rows of an insert, and in the WHERE or ON of a join, where it may also equal the account_id of another table that
 * is bound. Without an account it rejects every query on a tenant table. This is a safety net for programmers: its errors
 * are bugs and never become a response of their own.
 */
export class AccountGuard implements KyselyPlugin {
  readonly #accountId: string | null;

  constructor(accountId: string | null) {
    this.#accountId = accountId;
  }

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    if (!checkedStatements.has(node.kind)) throw new UncheckedStatement(node.kind);
    this.#check(node);
    return node;
  }

  async transformResult({ result }: { result: { rows: UnknownRow[] } }): Promise<{ rows: UnknownRow[] }> {
    return result;
  }

  #check(node: Node): void {
    switch (node.kind) {
      case 'SelectQueryNode':
      case 'DeleteQueryNode':
        this.#checkSources(node);
        break;
      case 'UpdateQueryNode':
        this.#checkSources(node);
        if (touchesTenant(node.table)) rejectAccountChange(node.updates);
        break;
      case 'InsertQueryNode':
        if (!touchesTenant(node.into)) break;
        this.#checkRows(node);
        rejectAccountChange(node.onConflict?.updates);
        break;
      case 'MergeQueryNode':
        throw new UncheckedStatement(node.kind);
      case 'RawNode':
        this.#checkRaw(node);
        return;
      case 'ValueNode':
      case 'PrimitiveValueListNode':
        return;
    }
    for (const child of childrenOf(node)) this.#check(child);
  }

  #checkSources(node: Node): void {
    const sources = sourcesOf(node);
    const bound = new Set<string>();
    for (let before = -1; before < bound.size; ) {
      before = bound.size;
      for (const source of sources) if (this.#isBound(source, bound)) bound.add(source.name);
    }
    const unbound = sources.find(({ name, table }) => tenantTables.has(table) && !bound.has(name));
    if (unbound) throw new MissingAccount(unbound.table);
  }

  /** Whether a condition compares account_id with the account, or with the account_id of a table that is bound. */
  #isBound({ name, conditions }: Source, bound: ReadonlySet<string>): boolean {
    return conditions.flatMap(equalities).some(([left, right]) => {
      const other = isAccountOf(left, name) ? right : isAccountOf(right, name) ? left : undefined;
      if (other === undefined) return false;
      return (
        this.#isAccount(other) || [...bound].some((known) => known === tableOf(other) && isAccountOf(other, known))
      );
    });
  }

  #checkRows(node: Node): void {
    const at = (node.columns ?? []).findIndex((column: Node) => column.column?.name === 'account_id');
    const rows: Node[] = node.values?.values ?? [];
    const named = at >= 0 && rows.length > 0 && rows.every((row) => this.#isAccount(row.values?.[at]));
    if (!named && !(at === 0 && this.#selectsAccount(node.values)))
      throw new MissingAccount(tablesIn(node.into)[0]?.table ?? 'a tenant table');
  }

  /**
   * Whether an insert selects the account as its first column. At another position, `*` before it could shift the columns.
   * A union could add other rows.
   */
  #selectsAccount(select: Node | undefined): boolean {
    const first =
      select?.kind === 'SelectQueryNode' && !select.setOperations ? select.selections?.[0]?.selection : undefined;
    return first?.kind === 'AliasNode' && this.#isAccount(first.node);
  }

  /** Raw SQL is not parsed: it needs the account as often as it names tenant tables. */
  #checkRaw(node: Node): void {
    const pieces = piecesOf(node);
    const text = pieces.map((piece) => (typeof piece === 'string' ? piece : '?')).join('');
    const named = [...text.matchAll(tenantTableInText)].map((match) => String(match[1]).toLowerCase());
    const bound = pieces.filter((piece, index) => {
      const before = pieces[index - 1];
      if (typeof before !== 'string' || !this.#isAccount(piece)) return false;
      return accountConditionInText.test(before) || insertedAccountInText.test(before);
    });
    const [first] = named;
    if (first !== undefined && (bound.length < named.length || uncheckedInText.test(text)))
      throw new MissingAccount(first);
    for (const piece of pieces) if (typeof piece !== 'string') this.#check(piece);
  }

  #isAccount(value: unknown): boolean {
    return this.#accountId !== null && (value === this.#accountId || plainValue(value) === this.#accountId);
  }
}

const MAX_DATABASES = 1000;

/** Returns the database with its guard. It is made once for each account, because that takes as long as building a query. */
export function guarded(
  db: Db | ((accountId: string | null) => Db),
  onMade: (fresh: Db) => void = () => {},
): (accountId: string | null) => Db {
  const made = new Map<string | null, Db>();
  return (accountId) => {
    const known = made.get(accountId);
    if (known) return known;
    if (made.size >= MAX_DATABASES) made.clear();
    const fresh = (typeof db === 'function' ? db(accountId) : db).withPlugin(new AccountGuard(accountId));
    made.set(accountId, fresh);
    onMade(fresh);
    return fresh;
  };
}

class MissingAccount extends Error {
  constructor(table: string) {
    super(`A query on ${table} does not name its account: add account_id = <the account> for this table.`);
  }
}

class UncheckedStatement extends Error {
  constructor(kind: string) {
    super(`A ${kind} cannot be checked for its account: use select, insert, update and delete.`);
  }
}

// Kysely's nodes are a union of many shapes. This code reads a few of their fields by name.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Node = OperationNode & Record<string, any>;

/** A table in a query, with its name there and the conditions that each of its rows must meet. */
interface Source {
  name: string;
  table: string;
  conditions: Node[];
}

function sourcesOf(node: Node): Source[] {
  const where: Node[] = node.where ? [node.where.where] : [];
  const listed: Node[] = [node.table, ...(node.from?.froms ?? []), ...(node.using?.tables ?? [])];
  return [
    ...listed.flatMap(tablesIn).map((table) => ({ ...table, conditions: where })),
    ...(node.joins ?? []).flatMap((join: Node) => {
      // These joins keep rows of the joined table that do not match, so ON is not a condition for them.
      const keepsAll = join.joinType === 'RightJoin' || join.joinType === 'FullJoin';
      const conditions = join.on && !keepsAll ? [...where, join.on.on] : where;
      return tablesIn(join.table).map((table) => ({ ...table, conditions }));
    }),
  ];
}

function tablesIn(node: Node | undefined): { name: string; table: string }[] {
  if (node?.kind === 'AliasNode') return tablesIn(node.node).map(({ table }) => ({ name: node.alias.name, table }));
  if (node?.kind === 'ListNode') return node.items.flatMap(tablesIn);
  const name = tableName(node);
  return name === undefined ? [] : [{ name, table: name }];
}

function touchesTenant(node: Node | undefined): boolean {
  return tablesIn(node).some(({ table }) => tenantTables.has(table));
}

function rejectAccountChange(updates: readonly Node[] = []): void {
  if (updates.some(({ column }) => mentions(column, 'account_id'))) throw new Error('A row cannot change its account');
}

function mentions(node: Node, name: string): boolean {
  if (node.kind === 'IdentifierNode') return node.name === name;
  if (node.kind === 'RawNode' && node.sqlFragments.join('?').includes(name)) return true;
  return [...childrenOf(node)].some((child) => mentions(child, name));
}

/** Returns the two sides of each `=` that must be true. */
function equalities(node: Node): [Node, Node][] {
  if (node.kind === 'ParensNode') return equalities(node.node);
  if (node.kind === 'AndNode') return [...equalities(node.left), ...equalities(node.right)];
  if (node.kind === 'BinaryOperationNode' && node.operator.operator === '=')
    return [[node.leftOperand, node.rightOperand]];
  return [];
}

/** Without a table name it must be this table: if two tables had the column, the database would reject the query. */
function isAccountOf(node: Node, source: string): boolean {
  return (
    node.kind === 'ReferenceNode' && node.column.column?.name === 'account_id' && (tableOf(node) ?? source) === source
  );
}

function tableOf(reference: Node): string | undefined {
  return tableName(reference.table);
}

function tableName(node: Node | undefined): string | undefined {
  return node?.kind === 'TableNode' ? node.table.identifier.name : undefined;
}

/** Returns the text of raw SQL with the names that were inserted, and between the texts the nodes that are not text. */
function piecesOf(raw: Node): (string | Node)[] {
  const pieces: (string | Node)[] = [];
  for (const [index, fragment] of raw.sqlFragments.entries()) {
    const parameter: Node | undefined = raw.parameters[index];
    pieces.push(fragment);
    if (parameter?.kind === 'RawNode') pieces.push(...piecesOf(parameter));
    else if (parameter)
      pieces.push(tableName(parameter) ?? (parameter.kind === 'IdentifierNode' ? parameter.name : parameter));
  }
  return joinTexts(pieces);
}

function joinTexts(pieces: (string | Node)[]): (string | Node)[] {
  const joined: (string | Node)[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}

function plainValue(node: unknown): unknown {
  const isNode = typeof node === 'object' && node !== null && 'kind' in node && 'value' in node;
  return isNode && node.kind === 'ValueNode' ? node.value : undefined;
}

function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'object' && item !== null && typeof item.kind === 'string') yield item;
    }
  }
}

import type { KyselyPlugin, OperationNode, RootOperationNode, UnknownRow } from 'kysely';
import { tables } from './schema.ts';

const tenantTables = new Set<string>(
  Object.keys(tables).filter((name) => tables[name as keyof typeof tables] === 'tenant'),
);
const mentionsTenantTable = new RegExp(`\\b(${[...tenantTables].join('|')})\\b`);

/**
 * Stops every query that touches a tenant table without `account_id = <the account>`: in the WHERE of what reads,
 * changes or removes, in the rows of what inserts, in the ON of what joins. Bound to no account, it stops every
 * query on a tenant table. It is a safety net for programmers: what it throws is a bug, not an answer.
 */
export class AccountGuard implements KyselyPlugin {
  readonly #accountId: string | null;

  constructor(accountId: string | null) {
    this.#accountId = accountId;
  }

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    this.#check(node);
    return node;
  }

  async transformResult({ result }: { result: { rows: UnknownRow[] } }): Promise<{ rows: UnknownRow[] }> {
    return result;
  }

  #check(node: Node): void {
    switch (node.kind) {
      case 'SelectQueryNode':
      case 'UpdateQueryNode':
      case 'DeleteQueryNode':
        for (const table of tenantTablesOf(node)) this.#checkCondition(table, node.where?.where);
        for (const join of node.joins ?? []) {
          for (const table of tenantTablesIn(join.table)) this.#checkCondition(table, join.on?.on, true);
        }
        break;
      case 'InsertQueryNode':
        if (tenantTablesIn(node.into).length > 0) this.#checkRows(node);
        break;
      case 'RawNode':
        this.#checkRaw(node);
        break;
    }
    for (const child of childrenOf(node)) this.#check(child);
  }

  /** One of the conditions joined by AND must be `account_id = <the account>`, or another table's account_id in a join. */
  #checkCondition(table: string, condition: Node | undefined, joined = false): void {
    for (const { column, operator, value } of equalities(condition)) {
      if (column !== 'account_id' || operator !== '=') continue;
      if (value === this.#accountId || (joined && value === columnReference)) return;
    }
    throw new MissingAccount(table);
  }

  #checkRows(node: Node): void {
    const at = (node.columns ?? []).findIndex((column: Node) => column.column?.name === 'account_id');
    const rows: Node[] = node.values?.values ?? [];
    const named = at >= 0 && rows.length > 0 && rows.every((row) => this.#isAccount(row.values?.[at]));
    if (!named) throw new MissingAccount(node.into.table?.identifier?.name ?? 'a tenant table');
  }

  #checkRaw(node: Node): void {
    const text = (node.sqlFragments ?? []).join('?');
    const table = mentionsTenantTable.exec(text)?.[1];
    if (table === undefined) return;
    const bound =
      /\baccount_id\s*=\s*\?/.test(text) && (node.parameters ?? []).some((value: Node) => this.#isAccount(value));
    if (!bound) throw new MissingAccount(table);
  }

  #isAccount(value: unknown): boolean {
    return this.#accountId !== null && (value === this.#accountId || plainValue(value) === this.#accountId);
  }
}

class MissingAccount extends Error {
  constructor(table: string) {
    super(`A query on ${table} does not name its account: add account_id = <the account> for this table.`);
  }
}

const columnReference = Symbol('another column');

// Kysely's nodes are a closed union of many shapes; the walk reads the few fields it knows by name.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Node = OperationNode & Record<string, any>;

function tenantTablesOf(node: Node): string[] {
  if (node.kind === 'SelectQueryNode') return (node.from?.froms ?? []).flatMap(tenantTablesIn);
  if (node.kind === 'DeleteQueryNode')
    return [...node.from.froms.flatMap(tenantTablesIn), ...tenantTablesIn(node.using)];
  return [...tenantTablesIn(node.table), ...(node.from?.froms ?? []).flatMap(tenantTablesIn)];
}

function tenantTablesIn(node: Node | undefined): string[] {
  if (!node) return [];
  if (node.kind === 'AliasNode') return tenantTablesIn(node.node);
  if (node.kind === 'ListNode') return node.items.flatMap(tenantTablesIn);
  const name = node.kind === 'TableNode' ? node.table.identifier.name : undefined;
  return name !== undefined && tenantTables.has(name) ? [name] : [];
}

function* equalities(node: Node | undefined): Generator<{ column: string; operator: string; value: unknown }> {
  if (!node) return;
  if (node.kind === 'ParensNode') yield* equalities(node.node);
  if (node.kind === 'AndNode') {
    yield* equalities(node.left);
    yield* equalities(node.right);
  }
  if (node.kind !== 'BinaryOperationNode') return;
  yield {
    column: node.leftOperand.column?.column?.name,
    operator: node.operator.operator,
    value: node.rightOperand.kind === 'ReferenceNode' ? columnReference : plainValue(node.rightOperand),
  };
}

function plainValue(node: unknown): unknown {
  return (node as Node | undefined)?.kind === 'ValueNode' ? (node as Node).value : undefined;
}

function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'object' && item !== null && typeof item.kind === 'string') yield item;
    }
  }
}

import type { KyselyPlugin, OperationNode, RootOperationNode, UnknownRow } from 'kysely';

/**
 * Rejects every query whose RETURNING contains more than columns: Citus runs only immutable functions there. Compute values
 * of written rows in a select: `with changed as (… returning <columns>) select … from changed`. This is a safety net for
 * programmers, so that such a query fails without Citus too.
 */
export class PlainReturning implements KyselyPlugin {
  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    check(node);
    return node;
  }

  async transformResult({ result }: { result: { rows: UnknownRow[] } }): Promise<{ rows: UnknownRow[] }> {
    return result;
  }
}

/** The fields of Kysely's nodes that are used here. */
interface Statement extends OperationNode {
  readonly node?: OperationNode;
  readonly returning?: { readonly selections: readonly { readonly selection: Statement }[] };
  readonly with?: { readonly expressions: readonly { readonly expression: Statement }[] };
  readonly sqlFragments?: readonly string[];
}

const columns = new Set(['ReferenceNode', 'ColumnNode', 'SelectAllNode']);

function check(node: Statement): void {
  for (const { selection } of node.returning?.selections ?? [])
    if (!columns.has(selection.node?.kind ?? selection.kind)) throw new ComputedReturning();
  for (const { expression } of node.with?.expressions ?? []) check(expression);
  const text = node.sqlFragments?.join('') ?? '';
  if (/\breturning\b[^;)]*\(/i.test(text)) throw new ComputedReturning();
}

class ComputedReturning extends Error {
  constructor() {
    super('RETURNING may have columns only: select computed values from a common table expression.');
  }
}

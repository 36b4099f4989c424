import type { CDPSession, Locator, Page } from 'playwright-core';

/* Reads the accessibility tree of Chromium as a readable text. */

interface AxValue {
  value?: unknown;
}
interface AxNode {
  nodeId: string;
  ignored: boolean;
  role?: AxValue;
  name?: AxValue;
  description?: AxValue;
  value?: AxValue;
  properties?: { name: string; value: AxValue }[];
  childIds?: string[];
  backendDOMNodeId?: number;
}

const states = /^(modal|expanded|hasPopup|pressed|checked|selected|disabled|multiline|valuemin|valuemax|level|live)$/;
/** Roles without a meaning of their own. */
const hidden = /^(none|generic|InlineTextBox|LineBreak|MenuListPopup|ListMarker)$/;

/** Returns the accessibility tree below an element, one line for each node: its role, name, states and description. */
export async function readTree(page: Page, locator: Locator): Promise<string> {
  const session = await page.context().newCDPSession(page);
  try {
    const backendNodeId = await findNode(session, locator);
    const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] };
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const root = nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === backendNodeId);
    return root ? describe(root, byId, '').join('\n') : '';
  } finally {
    await session.detach();
  }
}

async function findNode(session: CDPSession, locator: Locator): Promise<number> {
  await locator.evaluate((element) => Object.assign(window, { elementToDescribe: element }));
  const { result } = await session.send('Runtime.evaluate', { expression: 'elementToDescribe' });
  const { node } = await session.send('DOM.describeNode', { objectId: result.objectId ?? '' });
  return node.backendNodeId;
}

function describe(node: AxNode, byId: Map<string, AxNode>, indent: string): string[] {
  const role = String(node.role?.value);
  const isShown = !node.ignored && !hidden.test(role);
  const inner = (node.childIds ?? []).flatMap((id) => {
    const child = byId.get(id);
    return child ? describe(child, byId, isShown ? `${indent}  ` : indent) : [];
  });
  if (!isShown) return inner;
  const name = String(node.name?.value ?? '');
  if (role === 'StaticText') return [`${indent}${name.trim()}`];
  const isNamedByContent = inner.length === 1 && inner[0]?.trim() === name;
  return [indent + describeNode(node, role, name), ...(isNamedByContent ? [] : inner)];
}

function describeNode({ properties = [], value, description }: AxNode, role: string, name: string): string {
  const parts = [role];
  if (name) parts.push(JSON.stringify(name));
  if (value?.value !== undefined && value.value !== '') parts.push(`= ${value.value}`);
  for (const { name, value } of properties)
    if (states.test(name) && value.value !== false && value.value !== 'false') parts.push(`[${name} ${value.value}]`);
    else if (name === 'expanded') parts.push('[collapsed]');
  if (description?.value) parts.push(`(${description.value})`);
  return parts.join(' ');
}

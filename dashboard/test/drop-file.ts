import type { Page } from 'playwright-core';

type Box = { x: number; y: number; width: number; height: number } | null;

/** Drags a file of the machine into the page, as a person does. */
export async function dropFile(page: Page, path: string, box: Box): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
}

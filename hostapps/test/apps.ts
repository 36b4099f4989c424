import type { Page } from 'playwright-core';
import { inject } from 'vitest';

/** An application that others wrote. */
export interface HostApp {
  name: string;
  url: string;
  /** Waits until it can be used. */
  ready(page: Page): Promise<unknown>;
  /** Selectors of two elements. The application scrolls to the second one, or has it in view. */
  targets: [string, string];
  /** Selector of what scrolls, if anything does. */
  scroller?: string;
  /** Puts it into a state that a leaked key or click would change. */
  prepare?(page: Page): Promise<unknown>;
  /** What a leaked key or click would change. */
  state(page: Page): Promise<unknown>;
  /** Errors that it logs without Usher too. */
  ownErrors?: RegExp;
}

const { nodeRed, verdaccio, pages } = inject('hosts');
const visible = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();
/** The text and the fields of the page, where it is scrolled to, and its address. */
const readPage = (page: Page) =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll('input')].map(({ value, checked }) => [value, checked]);
    return { text: document.body.innerText, fields, href: location.href, lastKey: document.body.dataset.lastKey };
  });

interface NodeRed {
  RED: {
    nodes: { createCompleteNodeSet(): unknown; eachNode(run: (node: unknown) => void): void };
    view: { select(selection: object): void; selection(): { nodes?: { id: string }[] } };
  };
}
interface Drawing {
  drawing: {
    getSceneElements(): { id: string; version: number }[];
    getAppState(): { selectedElementIds: object; activeTool: { type: string }; openMenu: unknown };
  };
}
interface Editor {
  editor: { state: { doc: object; selection: object }; focus(): void };
}

export const apps: HostApp[] = [
  {
    name: 'Node-RED',
    url: nodeRed,
    ready: async (page) => {
      await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' });
      await page.locator('.red-ui-flow-node').nth(1).waitFor();
    },
    targets: ['#red-ui-header-button-deploy', '[data-palette-type="csv"]'],
    scroller: '#red-ui-palette-container',
    prepare: (page) =>
      page.evaluate(() => {
        const { nodes, view } = (window as never as NodeRed).RED;
        const all: unknown[] = [];
        nodes.eachNode((node) => all.push(node));
        view.select({ nodes: all });
      }),
    state: (page) =>
      page.evaluate(() => {
        const { nodes, view } = (window as never as NodeRed).RED;
        const isOpen = [...document.querySelectorAll('.ui-dialog,.red-ui-searchBox-container')].some((element) =>
          element.checkVisibility(),
        );
        const selection = view.selection().nodes?.map(({ id }) => id);
        return { flows: nodes.createCompleteNodeSet(), selection, isOpen, hash: location.hash };
      }),
  },
  {
    name: 'Excalidraw',
    url: `${pages}excalidraw/`,
    ready: visible('[data-testid="toolbar-rectangle"]'),
    targets: ['[data-testid="main-menu-trigger"]', '[data-testid="toolbar-text"]'],
    prepare: (page) =>
      page.waitForFunction(() => (window as never as Drawing).drawing?.getSceneElements().length === 2),
    state: (page) =>
      page.evaluate(() => {
        const { drawing } = window as never as Drawing;
        const { selectedElementIds, activeTool, openMenu } = drawing.getAppState();
        const elements = drawing.getSceneElements().map(({ id, version }) => [id, version]);
        return { elements, selectedElementIds, tool: activeTool.type, openMenu };
      }),
  },
  {
    name: 'Verdaccio',
    url: verdaccio,
    ready: visible('[data-testid="package-item-list"]'),
    targets: ['[data-testid="header--button-login"]', '[data-testid="download-tarball"]'],
    state: readPage,
  },
  {
    name: 'Swagger UI',
    url: `${pages}swagger/`,
    ready: visible('#operations-tag-products'),
    targets: ['#operations-tag-orders', '#operations-tag-products'],
    scroller: 'html',
    state: (page) =>
      page.evaluate(() => {
        const count = (selector: string) => document.querySelectorAll(selector).length;
        return [count('.opblock.is-open'), count('[data-is-open=true]'), count('.dialog-ux'), location.href];
      }),
  },
  {
    name: 'Radix',
    url: `${pages}radix/`,
    ready: visible('main'),
    targets: ['main button', '.row:last-child'],
    scroller: 'html',
    state: readPage,
  },
  {
    name: 'Material UI',
    url: `${pages}mui/`,
    ready: visible('main'),
    targets: ['main button', '.row:last-child'],
    scroller: 'html',
    state: readPage,
  },
  {
    name: 'Headless UI',
    url: `${pages}headless/`,
    ready: visible('main'),
    targets: ['main button', '.row:last-child'],
    scroller: 'html',
    state: readPage,
  },
  {
    name: 'CodeMirror',
    url: `${pages}codemirror/`,
    ready: visible('.cm-line'),
    targets: ['h1', '.cm-line'],
    scroller: '.cm-scroller',
    prepare: (page) => page.evaluate(() => (window as never as Editor).editor.focus()),
    state: (page) =>
      page.evaluate(() => {
        const { doc, selection } = (window as never as Editor).editor.state;
        return [doc.toString(), JSON.stringify(selection)];
      }),
  },
  {
    name: 'Turbo',
    url: `${pages}turbo/one`,
    ready: visible('#title-one'),
    targets: ['#link', '.row:last-child'],
    scroller: 'html',
    state: readPage,
  },
];

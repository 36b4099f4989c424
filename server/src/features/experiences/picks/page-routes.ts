import {
  CurrentPick,
  OpenPick,
  OpenPickOutput,
  OutputObject,
  PickContentInput,
  PickContentOutput,
  PickStateOutput,
  PickWithToken,
  SavePickLooks,
  SavePickResult,
} from '@usher/domain';
import { pageRoute } from '../../../pages/page-route.ts';
import { endPick } from './end-pick.ts';
import { openPick } from './open-pick.ts';
import { presentOpenPick } from './present-open-pick.ts';
import { saveLooks, saveResult } from './save-result.ts';
import { showDraft } from './show-draft.ts';

const pick_token = 'the-token-of-the-pick';
const href = 'https://app.example.com/dashboard';
const button = {
  ...{ font: 'Inter, sans-serif', font_size: 14, font_weight: 600, line_height: 1.5 },
  ...{ color: 'ffffff', background: '1f5f4a', border_width: 0, radius: 4, shadow: 0 },
};

export const pickPageRoutes = [
  pageRoute({
    path: '/v3/observe/picks',
    runsOnFullDisk: true,
    summary: 'Open a pick: exchange its key or its code for a token, once',
    operation: 'openPick',
    needs: 'account',
    byOrigin: true,
    parameters: OpenPick,
    example: { account_token: 'the-public-token', key: 'the-key-of-the-pick', href },
    output: OutputObject({ pick: PickWithToken }),
    run: async (page, params) => ({ pick: await openPick(page, params) }),
  }),
  pageRoute({
    path: '/v3/observe/picks/current',
    runsOnFullDisk: true,
    summary: 'Show an open pick to the page, after a reload',
    operation: 'getOpenPick',
    needs: 'pick',
    byOrigin: true,
    parameters: CurrentPick,
    example: { pick_token },
    output: OutputObject({ pick: OpenPickOutput }),
    run: async ({ ctx, pick }) => ({ pick: await presentOpenPick(ctx, pick) }),
  }),
  pageRoute({
    path: '/v3/observe/picks/result',
    summary: 'Report what was picked, which the editor then offers',
    operation: 'reportPick',
    needs: 'pick',
    byOrigin: true,
    parameters: SavePickResult,
    example: {
      pick_token,
      href,
      title: 'Dashboard',
      result: {
        elements: [{ selector: '#save' }],
        candidates: [{ selector: '#save', score: 90, kind: 'token', matches: 1 }],
        attribute: 'data-usher="save"',
        box: { x: 20, y: 40, width: 80, height: 32 },
        wireframe: {
          width: 1280,
          height: 720,
          boxes: [
            { x: 20, y: 40, width: 80, height: 32, fill: '#1f6feb', text: 'Save', color: '#ffffff', target: true },
          ],
        },
      },
    },
    output: OutputObject({ pick: PickStateOutput }),
    run: async (page, params) => ({ pick: await saveResult(page, params) }),
  }),
  pageRoute({
    path: '/v3/observe/picks/looks',
    summary: 'Report how the page looks, which the editor of a theme then offers',
    operation: 'reportLooks',
    needs: 'pick',
    byOrigin: true,
    parameters: SavePickLooks,
    example: { pick_token, href, title: 'Dashboard', looks: { light: { button } } },
    output: OutputObject({ pick: PickStateOutput }),
    run: async (page, params) => ({ pick: await saveLooks(page, params) }),
  }),
  pageRoute({
    path: '/v3/observe/picks/end',
    runsOnFullDisk: true,
    summary: 'End a pick from the page',
    operation: 'endPickFromPage',
    needs: 'pick',
    byOrigin: true,
    parameters: CurrentPick,
    example: { pick_token },
    output: OutputObject({ pick: PickStateOutput }),
    run: async ({ ctx, pick }) => {
      await endPick(ctx, pick);
      return { pick: { state: 'ended' as const } };
    },
  }),
  pageRoute({
    path: '/v3/observe/picks/content',
    runsOnFullDisk: true,
    summary: 'Get the draft of an Experience to try it on the page',
    operation: 'getPickContent',
    needs: 'pick',
    byOrigin: true,
    parameters: PickContentInput,
    example: { pick_token },
    output: PickContentOutput,
    run: showDraft,
  }),
];

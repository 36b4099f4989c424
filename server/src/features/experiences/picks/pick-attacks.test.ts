import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { makeExperienceFor } from '../../../../test/experience-path.ts';
import { askAsPage, exchange, type MadePick, makePick, ORIGIN, openPick, RESULT } from '../../../../test/picking.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { HOST, newUid, openDomain, PAGE, visit } from '../../../../test/visiting.ts';
import { createSecret } from '../../team/secrets/create-secret.ts';

const MINUTE = 60_000;
const ELSEWHERE = 'shop.example.com';
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let url: string;
let step_id: string;
let pick: MadePick;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now, env: { USHER_TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now += 24 * 60 * MINUTE;
  await api.replaceAccounts();
  url = await openDomain(api);
  await openDomain(api, api.other);
  await api.post('/v3/edit/urls', { host: ELSEWHERE, enabled: 'on' });
  const made = await makeExperienceFor(api, '', api.account);
  step_id = made.step_id ?? '';
  pick = await makePick(api, api.account, { experience_id: made.id ?? '', step_id });
});

const open = (params: object, headers: object = {}) => exchange(api, api.account, params, headers);
const from = (address: string) => ({ 'X-Forwarded-For': address });
const messagesOf = async (response: ReturnType<typeof open>) => {
  const { status, body } = await response;
  return [status, body.messages];
};
const paths = ['/current', '/result', '/end', '/content'];
/** Sends every request that a token is good for, and returns the statuses. */
const useToken = async (pick_token: string, headers: object = {}) => {
  const statuses: number[] = [];
  for (const path of paths)
    statuses.push((await askAsPage(api, path, { pick_token, href: PAGE, result: RESULT }, headers)).status);
  return statuses;
};
const rejected = paths.map(() => 403);
const stateOf = async () => (await api.get(`/v3/edit/picks/${pick.id}`)).body.pick.state;

describe('opening a pick', () => {
  it('returns what the bar on the page shows, and nothing else', async () => {
    const { status, body } = await open({ key: pick.key });
    const { experience_id } = pick;
    expect([status, body]).toEqual([
      200,
      {
        pick: {
          token: expect.any(String),
          purpose: 'pick',
          administrator: { name: expect.any(String) },
          account: { name: 'Acme' },
          server: api.app.publicUrl,
          experience: { id: experience_id, kind: 'tour', name: 'Made for a path' },
          theme: null,
          event_name: null,
          step: { id: step_id, number: 1, title: 'Hello', elements: [] },
          expires_at: new Date(now + 60 * MINUTE).toISOString(),
        },
      },
    ]);
    const { token, ...shown } = body.pick;
    expect((await askAsPage(api, '/current', { pick_token: token })).body).toEqual({ pick: shown });
  });

  it('works with the code, however it is typed', async () => {
    const code = ` ${pick.code.toLowerCase().replace('-', ' ')}`;
    expect((await open({ code })).status).toBe(200);
  });

  it('rejects a key that was used, and a code that was used, and says what to do', async () => {
    await openPick(api, api.account, pick);
    for (const params of [{ key: pick.key }, { code: pick.code }])
      expect(await messagesOf(open(params))).toEqual([403, [expect.stringMatching(/open already.*start again/)]]);
  });

  it('gives a token to one of several requests that arrive together', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => open({ key: pick.key })));
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 403)]);
  });

  it('gives one token to two nodes that get the key and the code at the same time', async () => {
    const beside = await startApi({ beside: api, now: () => now });
    for (let round = 0; round < 5; round++) {
      const { key, code } = await makePick(api, api.account, { experience_id: pick.experience_id });
      const all = await Promise.all(
        [api, beside, api, beside].map((node, at) => exchange(node, api.account, at < 2 ? { key } : { code })),
      );
      expect(all.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
    }
  });

  it('rejects a key and a code that have expired', async () => {
    now += 10 * MINUTE;
    for (const params of [{ key: pick.key }, { code: pick.code }])
      expect(await messagesOf(open(params))).toEqual([403, [expect.stringContaining('has expired')]]);
  });

  it('rejects the key and the code of another account like unknown ones', async () => {
    const before = await accountRows(api.app, api.account.account_id);
    for (const [params, unknown] of [
      [{ key: pick.key }, { key: 'unknown' }],
      [{ code: pick.code }, { code: '2222-2222' }],
    ] as const) {
      const strange = await exchange(api, api.other, params);
      expect([strange.status, strange.text]).toEqual([403, (await exchange(api, api.other, unknown)).text]);
    }
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });

  it('rejects a page on another host of the account, and can still be opened on its own', async () => {
    const headers = { Origin: `https://${ELSEWHERE}` };
    for (const params of [{ key: pick.key }, { code: pick.code }])
      expect(await messagesOf(open({ ...params, href: `https://${ELSEWHERE}/` }, headers))).toEqual([
        403,
        [expect.stringContaining(`is for pages on ${HOST}`)],
      ]);
    expect((await open({ key: pick.key })).status).toBe(200);
  });

  it.each([
    `https://${HOST}.evil.test`,
    'https://evil.test',
    `https://evil.${HOST}`,
    'null',
    '',
    'file://',
    `x${ORIGIN}`,
    `https://evil.test@${HOST}`,
    `${ORIGIN}\\.evil.test`,
    `${ORIGIN}/x`,
    `capacitor://${HOST}`,
  ])('rejects the origin %j, whatever `href` says', async (Origin) => {
    expect((await open({ key: pick.key }, { Origin })).status).toBe(403);
    expect(await stateOf()).toBe('waiting');
  });

  it('rejects a request without an origin, even with a secret', async () => {
    const params = { account_token: api.account.account_token, key: pick.key, href: PAGE };
    for (const as of [null, api.account])
      expect((await api.post('/v3/observe/picks', params, { as })).body.messages[0]).toContain('`Origin`');
  });

  it('needs either a key or a code, and the address of the page', async () => {
    for (const params of [{}, { key: pick.key, code: pick.code }]) expect((await open(params)).status).toBe(422);
    for (const href of [undefined, 'javascript:alert(1)', 'https://evil.test/', `https://${ELSEWHERE}/`])
      expect([href, (await open({ key: pick.key, href })).status]).toEqual([href, 422]);
    expect(await stateOf()).toBe('waiting');
  });

  it('lets an address try ten wrong codes in a minute, also together and in several accounts', async () => {
    const stranger = from('203.0.113.9');
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        exchange(api, at % 2 === 0 ? api.account : api.other, { code: 'ABCD-EFGH' }, stranger),
      ),
    );
    expect(guesses.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(20);
    expect((await open({ code: pick.code }, stranger)).status).toBe(429);
    expect(await stateOf()).toBe('waiting');
    now += 2 * MINUTE;
    expect((await open({ code: pick.code }, stranger)).status).toBe(200);
  });

  it('counts all addresses of an IPv6 network as one', async () => {
    const guess = (end: number) => open({ code: 'ABCD-EFGH' }, from(`2001:db8::${end}`));
    for (let end = 1; end <= 10; end++) expect((await guess(end)).status).toBe(403);
    expect((await guess(11)).status).toBe(429);
  });

  it('keeps no one at another address waiting while a stranger guesses codes', async () => {
    for (let count = 0; count < 12; count++) await open({ code: 'ABCD-EFGH' }, from('203.0.113.10'));
    expect((await open({ code: pick.code }, from('198.51.100.7'))).status).toBe(200);
  });

  it('does not delay the key when codes are guessed at the same address', async () => {
    const office = from('203.0.113.11');
    for (let count = 0; count < 12; count++) await open({ code: 'ABCD-EFGH' }, office);
    expect((await open({ key: pick.key }, office)).status).toBe(200);
  });

  it('does not count right codes', async () => {
    const office = from('203.0.113.12');
    for (let count = 0; count < 12; count++) {
      const { code } = await makePick(api, api.account, { experience_id: pick.experience_id });
      expect((await open({ code }, office)).status).toBe(200);
    }
  });

  it('counts wrong keys, codes and tokens as wrong secrets of their address', async () => {
    const limited = await startApi({ env: { USHER_LIMIT_WRONG_SECRETS: '3' } });
    await openDomain(limited);
    const statuses = [
      (await exchange(limited, limited.account, { key: 'wrong' })).status,
      (await exchange(limited, limited.account, { code: '2222-2222' })).status,
      (await askAsPage(limited, '/current', { pick_token: 'wrong' })).status,
      (await exchange(limited, limited.account, { key: 'wrong' })).status,
    ];
    expect(statuses).toEqual([403, 403, 403, 429]);
    const right = await makePick(limited);
    expect((await exchange(limited, limited.account, { key: right.key })).status).toBe(200);
  });
});

describe('the token of a pick', () => {
  it('reads one step and reports a pick, and opens nothing else', async () => {
    const token = await openPick(api, api.account, pick);
    const secret = { account_secret: token };
    expect((await api.get('/v3/edit/tours', { as: secret })).status).toBe(403);
    expect((await api.get(`/v3/edit/picks/${pick.id}`, { as: secret })).status).toBe(403);
    const asVisit = { visit_token: token, href: PAGE, experience_id: pick.experience_id };
    expect((await api.post('/v3/observe/shows', asVisit, { as: null })).status).toBe(403);
    const before = await accountRows(api.app, api.account.account_id);
    await askAsPage(api, '/result', { pick_token: token, href: PAGE, title: '', result: RESULT });
    const { picks: _, ...after } = await accountRows(api.app, api.account.account_id);
    expect(after).toEqual({ ...before, picks: undefined });
  });

  it('cannot read the draft if it is for picking, nor report if it is for trying', async () => {
    const picking = await openPick(api, api.account, pick);
    expect((await askAsPage(api, '/content', { pick_token: picking })).status).toBe(403);
    const trying = await openPick(api, api.account, await makePick(api, api.account, { purpose: 'try' }));
    const sent = { pick_token: trying, href: PAGE, title: '', result: RESULT };
    expect((await askAsPage(api, '/result', sent)).status).toBe(403);
  });

  it('is no visit token, and no visit token, key or secret is a token of a pick', async () => {
    const token = await openPick(api, api.account, pick);
    const visited = (await visit(api, { uid: newUid() })).body.visit.token;
    const [account, id, secret] = token.split('.');
    const other = await makePick(api, api.account, { experience_id: pick.experience_id });
    for (const forged of [
      ...[visited, pick.key, api.account.account_secret, api.account.account_token, pick.code],
      ...[`${token}x`, token.slice(0, -1), `${account}.${id}.`, `${account}.${id}`, `${token}.x`],
      ...[`${account}.${other.id}.${secret}`, `${api.other.account_id}.${id}.${secret}`, `${account}.\0.${secret}`],
    ])
      expect([forged, await useToken(forged)]).toEqual([forged, rejected]);
  });

  it('is over an hour after it was opened', async () => {
    const token = await openPick(api, api.account, pick);
    now += 60 * MINUTE - 1;
    expect((await askAsPage(api, '/current', { pick_token: token })).status).toBe(200);
    now += 1;
    expect(await useToken(token)).toEqual(rejected);
  });

  it('is over when the page ends the pick', async () => {
    const token = await openPick(api, api.account, pick);
    expect((await askAsPage(api, '/end', { pick_token: token })).status).toBe(200);
    expect(await useToken(token)).toEqual(rejected);
  });

  it('is rejected on another host of the account, and without an origin', async () => {
    const token = await openPick(api, api.account, pick);
    for (const Origin of [`https://${ELSEWHERE}`, 'https://evil.test', 'null', ''])
      expect([Origin, await useToken(token, { Origin })]).toEqual([Origin, rejected]);
    for (const path of paths)
      expect(
        (await api.post(`/v3/observe/picks${path}`, { pick_token: token, href: PAGE, result: RESULT }, { as: null }))
          .status,
      ).toBe(403);
    expect(await stateOf()).toBe('opened');
  });

  it('ends with the role of the administrator who made the pick', async () => {
    const { id, email } = await addSignedIn(api, 'editor');
    const { account_id } = api.account;
    const secret = await createSecret(api.app, { accountId: account_id, email, name: 'editor' });
    const as = { ...api.account, ...secret };
    const own = await makePick(api, as, { experience_id: pick.experience_id });
    const waiting = await makePick(api, as, { experience_id: pick.experience_id });
    const token = await openPick(api, api.account, own);
    expect((await api.patch(`/v3/edit/admins/${id}`, { role: 'viewer' })).status).toBe(200);
    expect(await useToken(token)).toEqual(rejected);
    expect((await open({ key: waiting.key })).status).toBe(403);
    await api.patch(`/v3/edit/admins/${id}`, { role: 'editor' });
    expect((await askAsPage(api, '/current', { pick_token: token })).status).toBe(200);
    await api.send('DELETE', `/v3/edit/admins/${id}`);
    expect(await useToken(token)).toEqual(rejected);
  });

  it('ends with the Experience', async () => {
    const token = await openPick(api, api.account, pick);
    await api.send('DELETE', `/v3/edit/tours/${pick.experience_id}`);
    expect((await askAsPage(api, '/current', { pick_token: token })).body.messages[0]).toContain('was deleted');
  });
});

describe('a domain', () => {
  it('rejects every request of a page whose domain is not enabled', async () => {
    const opened = await makePick(api, api.account, { experience_id: pick.experience_id });
    const token = await openPick(api, api.account, opened);
    await api.patch(`/v3/edit/urls/${url}`, { enabled: 'off' });
    expect(await messagesOf(open({ key: pick.key }))).toEqual([403, [expect.stringContaining('is not enabled')]]);
    expect(await useToken(token)).toEqual(rejected);
    await api.patch(`/v3/edit/urls/${url}`, { enabled: 'on' });
    expect((await open({ key: pick.key })).status).toBe(200);
    expect((await askAsPage(api, '/current', { pick_token: token })).status).toBe(200);
  });
});

describe('the result of a pick', () => {
  const save = async (params: object) => {
    const pick_token = await openPick(api, api.account, await makePick(api, api.account));
    return askAsPage(api, '/result', { pick_token, href: PAGE, title: 'T', result: RESULT, ...params });
  };

  it('must be on the host of the pick', async () => {
    for (const href of ['javascript:alert(1)', 'https://evil.test/', `https://${ELSEWHERE}/`])
      expect([href, (await save({ href })).status]).toEqual([href, 422]);
  });

  it('shows the address of the page as browsers write it', async () => {
    const pick_token = await openPick(api, api.account, pick);
    for (const [sent, shown] of [
      [`https://evil.test:pw@${HOST}/x`, `https://${HOST}/x`],
      [`https://${HOST}\\@evil.test/`, `https://${HOST}/@evil.test/`],
      [`https://${HOST}/a\r\nevent: pick`, `https://${HOST}/aevent:%20pick`],
      [`https://${HOST}/\u202etxt`, `https://${HOST}/%E2%80%AEtxt`],
      [`HTTPS://${HOST.toUpperCase()}/#usher-pick=x&/inbox`, `https://${HOST}/#/inbox`],
    ] as const) {
      const { status } = await askAsPage(api, '/result', { pick_token, href: sent, title: '', result: RESULT });
      const { page } = (await api.get(`/v3/edit/picks/${pick.id}`)).body.pick;
      expect([status, page.href]).toEqual([200, shown]);
    }
  });

  it('leaves out an attribute that is not our own, because developers paste it into their page', async () => {
    const pick_token = await openPick(api, api.account, pick);
    for (const attribute of [
      'onclick="alert(1)"',
      'data-usher="x"><script src="//evil.test">',
      'data-usher="\u202e"',
    ]) {
      const result = { ...RESULT, attribute };
      expect((await askAsPage(api, '/result', { pick_token, href: PAGE, result })).status).toBe(200);
      const { attribute: _, ...rest } = RESULT;
      expect((await api.get(`/v3/edit/picks/${pick.id}`)).body.pick.result).toEqual(rest);
    }
  });

  it('can be replaced 30 times in a minute', async () => {
    const pick_token = await openPick(api, api.account, pick);
    const report = () => askAsPage(api, '/result', { pick_token, href: PAGE, result: RESULT });
    const statuses = (await Promise.all(Array.from({ length: 35 }, report))).map(({ status }) => status);
    expect([200, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([30, 5]);
    now += 2 * MINUTE;
    expect((await report()).status).toBe(200);
  });

  it('rejects what the editor could not show safely', async () => {
    const [box] = RESULT.wireframe.boxes;
    const drawn = (more: object) => ({
      result: { ...RESULT, wireframe: { ...RESULT.wireframe, boxes: [{ ...box, ...more }] } },
    });
    for (const params of [
      drawn({ fill: 'url(//evil.test)' }),
      drawn({ x: '0"><script>' }),
      { result: { ...RESULT, elements: [{ selector: '<img>' }] } },
      { result: 'x' },
      { result: undefined },
    ])
      expect([params, (await save(params)).status]).toEqual([params, 422]);
  });

  it('is at most 100 KB', async () => {
    const [box] = RESULT.wireframe.boxes;
    const boxes = (text: string, length: number) => ({
      result: {
        ...RESULT,
        wireframe: { ...RESULT.wireframe, boxes: Array.from({ length }, () => ({ ...box, text })) },
      },
    });
    expect((await save(boxes('x'.repeat(150), 380))).status).toBe(200);
    const large = await save(boxes('x'.repeat(200), 380));
    expect([large.status, large.body.messages]).toEqual([422, ['`result` must be at most 100 KB of JSON']]);
    expect((await save(boxes('x'.repeat(200), 1500))).status).toBe(413);
  });
});

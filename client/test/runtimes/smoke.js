import { identityHash, readWebhook, Usher, uidHash, verifyWebhook } from '../../dist/index.js';

/*
 * What the built client does against a real server, in any runtime: it uses nothing but what the client itself may use. Node, Deno and
 * Bun run this file as it is; workerd calls `test` of its default export.
 */

function assert(value, what) {
  if (!value) throw new Error(`expected ${what}`);
}

async function rejection(promise) {
  return promise.then(
    () => assert(false, 'an error'),
    (error) => error,
  );
}

const checks = {
  async 'reads page after page'({ usher }) {
    const made = [];
    for (const name of ['One', 'Two', 'Three'])
      made.unshift((await usher.request('POST /v3/edit/segments', { name, items: [] })).segment.id);
    const found = [];
    for await (const { id } of usher.list('GET /v3/edit/segments', { limit: 1 })) {
      found.push(id);
      if (found.length === made.length) break;
    }
    assert(found.join() === made.join(), `${made}, not ${found}`);
  },
  async 'waits as long as `wait` says, and sends again'({ faulty }) {
    const start = Date.now();
    await faulty.request('GET /v3/edit/urls');
    assert(Date.now() - start >= 1000, 'a second of waiting');
  },
  async 'creates one record when the response was lost'({ usher, faulty, id }) {
    const name = `Tag ${id}`;
    const { tag } = await faulty.request('POST /v3/edit/tags', { name }, { idempotencyKey: `key ${id}` });
    const { tags } = await usher.request('GET /v3/edit/tags', { limit: 500 });
    assert(
      tags
        .filter((one) => one.name === name)
        .map((one) => one.id)
        .join() === tag.id,
      'one tag',
    );
  },
  async 'stops waiting when its signal is aborted'({ faulty }) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 200);
    const start = Date.now();
    const error = await rejection(faulty.request('GET /v3/edit/themes', {}, { signal: controller.signal }));
    assert(error.message === 'enough', `the reason, not ${error}`);
    assert(Date.now() - start < 10_000, 'no waiting for the 30 seconds of the response');
  },
  async 'stops a request when its signal is aborted'({ faulty }) {
    const error = await rejection(faulty.request('GET /v3/edit/languages', {}, { signal: AbortSignal.timeout(200) }));
    assert(error.name === 'TimeoutError', `a TimeoutError, not ${error}`);
  },
  async 'throws what the server says'({ usher }) {
    const error = await rejection(usher.request('POST /v3/edit/urls', { host: 'not a host' }));
    assert(error.code === 422 && error.errors[0].param === 'host' && error.requestId, `an UsherError, not ${error}`);
  },
  async 'verifies webhooks'({ webhook: { secret, headers, body } }) {
    assert((await readWebhook(secret, new Headers(headers), body)).kind === 'ping', 'a ping');
    assert(await verifyWebhook(secret, headers, new TextEncoder().encode(body)), 'a signature of bytes');
    assert(!(await verifyWebhook(secret, headers, `${body} `)), 'no other body');
  },
  async 'signs users for pages'({ usher, uidSecret }) {
    const check = async (params) =>
      (await usher.request('POST /v3/analyze/identity_checks', params)).identity_check.valid;
    assert(await check({ uid: 'änn', uid_hash: await uidHash(uidSecret, 'änn') }), 'a valid uid_hash');
    const user = { uid: 'ann', email: 'ann@example.com' };
    const identity_hash = await identityHash(uidSecret, { ...user, companyUid: 'acme' });
    assert(await check({ ...user, company_uid: 'acme', identity_hash }), 'a valid identity_hash');
    assert(!(await check({ ...user, company_uid: 'other', identity_hash })), 'no other Company');
  },
  async 'pulls and pushes translations'({ usher }) {
    const { tour } = await usher.request('POST /v3/edit/tours', { name: 'Texts', steps: [{ title: 'Hello' }] });
    const file = await usher.translations.pull({ kind: 'tours', id: tour.id });
    file.language.code = 'de';
    for (const { steps } of file.experiences)
      for (const { translations } of steps) for (const field of Object.values(translations)) field.text = 'Grüß Gott';
    const { i18ns } = await usher.translations.push(file);
    assert(i18ns[0].updated_count === 1, 'one changed text');
    const pulled = await usher.translations.pull({ kind: 'tours', id: tour.id, language: 'de' });
    assert(JSON.stringify(pulled).includes('Grüß Gott'), 'the German text');
  },
  async 'continues to read changes where it ended'({ usher }) {
    const seen = [];
    const each = ({ id }) => void seen.push(id);
    let after = await usher.sync.changes({ each });
    const { tour } = await usher.request('POST /v3/edit/tours', { name: 'First' });
    await usher.request('PATCH /v3/edit/tours/{id}', { id: tour.id, name: 'Second' });
    const fail = () => {
      throw new Error('the warehouse is down');
    };
    assert((await rejection(usher.sync.changes({ after, each: fail }))).message.includes('warehouse'), 'the error');
    seen.length = 0;
    after = await usher.sync.changes({ after, each });
    assert(seen.length === 2 && seen[0] < seen[1], `two Changes, oldest first, not ${seen}`);
    assert((await usher.sync.changes({ after, each })) === after && seen.length === 2, 'nothing more');
  },
};

/** Returns the names of what works, and throws for what does not. */
async function smoke({ url, faultyUrl, secret, ...others }) {
  const usher = new Usher({ url, secret });
  const faulty = new Usher({ url: faultyUrl, secret, timeout: 10 });
  for (const [name, check] of Object.entries(checks))
    try {
      await check({ ...others, usher, faulty });
      console.log(`ok: ${name}`);
    } catch (error) {
      throw new Error(`not ok: ${name}: ${error?.stack ?? error}`);
    }
}

export default { test: (_, { SMOKE }) => smoke(SMOKE) };

if (globalThis.process?.env?.SMOKE) await smoke(JSON.parse(globalThis.process.env.SMOKE));

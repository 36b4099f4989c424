/**
 * One request and its outcome, with times of one clock. The status is missing if it is unknown whether the request took
 * effect: the process was killed before it responded, or it responded with 503.
 * @typedef {object} Operation
 * @property {'create' | 'update' | 'cancel' | 'claim' | 'clear' | 'visit' | 'read'} kind
 * @property {string} user
 * @property {number} begun
 * @property {number} ended
 * @property {number | undefined} [status]
 * @property {string} [message] what a process that was not killed did instead of responding
 * @property {string} [id] of the Delivery that it created, changed, canceled or claimed
 * @property {string} [key] that it gives to the Delivery
 * @property {boolean} [drops] it removes others from the list if the list is full
 * @property {boolean} [segmented] from now on a page load may drop the Delivery
 * @property {boolean} [conditional] from now on a claim may lose although the Delivery is pending
 * @property {string} [by] the claim: the same one may come again
 * @property {string} [href] of the claim, which no other has
 * @property {boolean} [triggered] what the response to a claim says
 * @property {string[]} [listed] the pending Deliveries in the response to a read or a page load
 * @property {string[]} [offered] those that a page load offers
 */

/**
 * A Delivery as it is stored.
 * @typedef {object} Row
 * @property {string} id
 * @property {string} user
 * @property {string | null} key
 * @property {string | null} at
 * @property {string | null} at_href
 * @property {string | null} interaction_id
 * @property {string | null} removed_at
 */

/**
 * The two lists of one user, read in one statement: what its profile says, and what its Deliveries say.
 * @typedef {{ user: string, delivery_ids: string[], pending: string[] }} Snapshot
 */

/**
 * @typedef {object} History
 * @property {number} limit how many may be pending
 * @property {Operation[]} operations
 * @property {{ id: string, at: string }[]} sightings of triggered ones, in lists and in the end
 * @property {Row[]} rows that are there in the end
 */

/** @typedef {{ invariant: string, what: string }} Problem */

/**
 * A transaction may still be committed this long after its process was killed, because PostgreSQL finishes the statement
 * before it notices that the connection is closed.
 */
const AFTERLIFE_MS = 5000;

/** @type {Record<Operation['kind'], number[]>} */
const allowedStatuses = {
  create: [201, 200, 409, 422, 429],
  update: [200, 404, 409, 422, 429],
  cancel: [200, 404, 409],
  claim: [200, 403],
  clear: [200],
  visit: [200],
  read: [200],
};

/**
 * What cannot have happened to any Delivery if every one is triggered at most once, and every acknowledged operation
 * took effect between its request and its response.
 * @param {History} history
 * @returns {Problem[]}
 */
export function problemsOfHistory({ limit, operations, sightings, rows }) {
  const rowsOf = groupBy(rows, ({ user }) => user);
  const problems = problemsOfSightings(sightings);
  for (const [user, own] of groupBy(operations, (operation) => operation.user))
    problems.push(...problemsOfUser(user, own, rowsOf.get(user) ?? [], limit));
  return problems;
}

/**
 * @param {readonly Snapshot[]} snapshots
 * @param {number} limit
 * @returns {Problem[]}
 */
export function problemsOfSnapshots(snapshots, limit) {
  return snapshots.flatMap(({ user, delivery_ids, pending }) => {
    const problems = [];
    if (!sameSet(delivery_ids, pending))
      problems.push(problem('list differs', `${user}: delivery_ids ${delivery_ids}, pending ${pending}`));
    if (delivery_ids.length > limit || pending.length > limit)
      problems.push(problem('over the limit', `${user}: delivery_ids ${delivery_ids}, pending ${pending}`));
    return problems;
  });
}

/**
 * Compares an API response with the stored rows while nothing changes.
 * @param {Snapshot} snapshot
 * @param {{ delivery_ids: string[], pending: string[] }} response
 * @returns {Problem[]}
 */
export function problemsOfResponse({ user, delivery_ids, pending }, response) {
  const problems = [];
  if (String(response.delivery_ids) !== String(delivery_ids))
    problems.push(
      problem('read differs', `${user}: returned delivery_ids ${response.delivery_ids}, stored ${delivery_ids}`),
    );
  if (!sameSet(response.pending, pending))
    problems.push(problem('read differs', `${user}: returned pending ${response.pending}, stored ${pending}`));
  return problems;
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {(one: T) => string} keyOf
 */
function groupBy(list, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/**
 * @param {string} invariant
 * @param {string} what
 * @returns {Problem}
 */
function problem(invariant, what) {
  return { invariant, what };
}

/**
 * @param {readonly string[]} some
 * @param {readonly string[]} others
 */
function sameSet(some, others) {
  const set = new Set(others);
  return some.length === others.length && set.size === others.length && some.every((one) => set.delete(one));
}

/**
 * @param {History['sightings']} sightings
 * @returns {Problem[]}
 */
function problemsOfSightings(sightings) {
  const times = groupBy(sightings, ({ id }) => id);
  return [...times].flatMap(([id, seen]) => {
    const at = new Set(seen.map((sighting) => sighting.at));
    return at.size > 1 ? problem('triggered twice', `${id} at ${[...at].join(' and ')}`) : [];
  });
}

/**
 * @param {string} user
 * @param {readonly Operation[]} operations
 * @param {readonly Row[]} rows
 * @param {number} limit
 * @returns {Problem[]}
 */
function problemsOfUser(user, operations, rows, limit) {
  /** @type {Problem[]} */
  const problems = [];
  const report = (/** @type {string} */ invariant, /** @type {string} */ what) =>
    problems.push(problem(invariant, `${user}: ${what}`));

  checkAnswers(operations, limit, report);
  checkKeys(operations, rows, report);
  const lives = livesOf(operations, rows, report);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [id, life] of lives) {
    checkSeen(id, life, report);
    checkTriggers(id, life, report);
    checkEnd(id, life, byId.get(id), report);
  }
  return problems;
}

/** @typedef {(invariant: string, what: string) => unknown} Report */

/**
 * @param {readonly Operation[]} operations
 * @param {number} limit
 * @param {Report} report
 */
function checkAnswers(operations, limit, report) {
  const clears = operations.filter(({ kind, status }) => kind === 'clear' && isPossible(status));
  for (const { kind, status, message, begun, ended, listed = [], offered = [] } of operations) {
    if (message !== undefined) report('wrong response', `${kind} from ${begun} to ${ended}: ${message}`);
    if (status !== undefined && !allowedStatuses[kind].includes(status))
      report('wrong response', `${kind} from ${begun} to ${ended} returned ${status}`);
    if (status === 403 && !clears.some((clear) => clear.begun < ended))
      report(
        'wrong response',
        `${kind} from ${begun} to ${ended}: a visit was over although the profile was not cleared`,
      );
    if (listed.length > limit) report('over the limit', `${kind} from ${begun} to ${ended}: ${listed}`);
    if (offered.some((id) => !listed.includes(id)))
      report('read differs', `${kind} from ${begun} to ${ended} offered ${offered}, of ${listed}`);
  }
}

/** @param {number | undefined} status */
function isDone(status) {
  return status === 200 || status === 201;
}

/**
 * Whether the request took effect, or may have.
 * @param {number | undefined} status
 */
function isPossible(status) {
  return status === undefined || isDone(status);
}

/**
 * @param {readonly Operation[]} operations
 * @param {readonly Row[]} rows
 * @param {Report} report
 */
function checkKeys(operations, rows, report) {
  const done = operations.filter(({ key, id, status }) => key !== undefined && id !== undefined && isDone(status));
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [key, uses] of groupBy(done, (operation) => operation.key ?? '')) {
    const stored = rows.filter((row) => row.key === key);
    const ids = new Set([...uses, ...stored].map(({ id }) => id));
    if (ids.size > 1) report('two for one key', `${key}: the Deliveries ${[...ids].join(' and ')}`);
  }
  for (const { id, key } of done) {
    const row = byId.get(id ?? '');
    if (row && row.key !== key) report('key lost', `${id} has the key ${row.key}, and was given ${key}`);
  }
}

/**
 * What is known of one Delivery.
 * @typedef {object} Life
 * @property {number} begun when it may have been made, and
 * @property {number} ended when it was
 * @property {boolean} acknowledged that it was made
 * @property {number} mayGo from when on it may be pending no longer
 * @property {number} mustGo from when on it must be so no longer
 * @property {number} conditional from when on a claim may lose although it is pending
 * @property {Operation[]} claims
 * @property {Operation[]} cancels that were acknowledged
 * @property {Operation[]} present that found it pending
 * @property {Operation[]} absent that did not
 */

/**
 * @param {readonly Operation[]} operations
 * @param {readonly Row[]} rows
 * @param {Report} report
 * @returns {Map<string, Life>}
 */
function livesOf(operations, rows, report) {
  const lives = born(operations, rows, report);
  const goings = operations.filter((operation) => isPossible(operation.status) && mayRemove(operation));
  const segmented = new Set(operations.flatMap((operation) => (operation.segmented ? (operation.id ?? []) : [])));
  const unknownSegmented = operations.some(({ segmented, id }) => segmented && id === undefined);
  for (const [id, life] of lives) {
    const maySegment = segmented.has(id) || (unknownSegmented && !life.acknowledged);
    for (const going of goings) {
      if (going.kind === 'visit' && !maySegment) continue;
      if (isOfOne(going) && going.id !== id) continue;
      const over = going.status === undefined ? going.ended + AFTERLIFE_MS : going.ended;
      if (over > life.begun) life.mayGo = Math.min(life.mayGo, going.begun);
      if (going.status === undefined || !(isOfOne(going) || going.kind === 'clear')) continue;
      if (isOfOne(going) || going.begun > life.ended) life.mustGo = Math.min(life.mustGo, going.ended);
    }
  }
  for (const operation of operations) observe(operation, lives);
  return lives;
}

/** @param {Operation} operation */
function mayRemove({ kind, triggered, status, drops }) {
  if (kind === 'create') return Boolean(drops) && status !== 200;
  if (kind === 'update') return Boolean(drops);
  if (kind === 'claim') return status === undefined || Boolean(triggered);
  return kind === 'cancel' || kind === 'clear' || kind === 'visit';
}

/** @param {Operation} operation */
function isOfOne({ kind }) {
  return kind === 'cancel' || kind === 'claim';
}

/**
 * @param {readonly Operation[]} operations
 * @param {readonly Row[]} rows
 * @param {Report} report
 */
function born(operations, rows, report) {
  /** @type {Map<string, Life>} */
  const lives = new Map();
  const begin = (/** @type {Partial<Life>} */ life) => ({
    ...{ begun: 0, ended: 0, acknowledged: false },
    ...{ mayGo: Number.POSITIVE_INFINITY, mustGo: Number.POSITIVE_INFINITY, conditional: Number.POSITIVE_INFINITY },
    ...{ claims: [], cancels: [], present: [], absent: [] },
    ...life,
  });
  for (const { kind, status, id, begun, ended } of operations) {
    if (kind !== 'create' || status !== 201 || id === undefined) continue;
    if (lives.has(id)) report('created twice', id);
    lives.set(id, begin({ begun, ended, acknowledged: true }));
  }
  const unknown = operations.filter(({ kind, status }) => kind === 'create' && status === undefined);
  const earliest = Math.min(...unknown.map(({ begun }) => begun));
  const mention = (/** @type {string} */ id, /** @type {number} */ ended) => {
    const life = lives.get(id);
    if (!life) lives.set(id, begin({ begun: earliest, ended, conditional: earliest }));
    else if (!life.acknowledged) life.ended = Math.min(life.ended, ended);
  };
  for (const { id, listed = [], ended } of operations) {
    if (id !== undefined) mention(id, ended);
    for (const one of listed) mention(one, ended);
  }
  for (const { id } of rows) mention(id, Number.POSITIVE_INFINITY);
  const unrequested = [...lives].filter(([, { acknowledged }]) => !acknowledged);
  if (unrequested.length > unknown.length)
    report(
      'created without a request',
      `${unrequested.map(([id]) => id)}, while ${unknown.length} creations got no response`,
    );
  return lives;
}

/**
 * @param {Operation} operation
 * @param {Map<string, Life>} lives
 */
function observe(operation, lives) {
  const { kind, status, id, listed, begun } = operation;
  if (listed) {
    const there = new Set(listed);
    for (const [one, life] of lives) {
      if (there.has(one)) life.present.push(operation);
      else if (begun > life.ended) life.absent.push(operation);
    }
  }
  const life = id === undefined ? undefined : lives.get(id);
  if (!life) return;
  if (operation.conditional && isPossible(status)) life.conditional = Math.min(life.conditional, begun);
  if (kind === 'claim') life.claims.push(operation);
  if (kind === 'cancel' && status === 200) life.cancels.push(operation);
  if ((kind === 'cancel' || kind === 'update') && status === 200) life.present.push(operation);
  if (kind === 'cancel' ? status === 404 || status === 409 : kind === 'update' && status === 404)
    if (begun > life.ended) life.absent.push(operation);
}

/**
 * @param {string} id
 * @param {Life} life
 * @param {Report} report
 */
function checkSeen(id, life, report) {
  const { claims } = life;
  const gone = Math.min(life.mustGo, ...life.absent.map(({ ended }) => ended));
  for (const { kind, begun, ended } of life.present) {
    if (begun > gone) report('seen when gone', `${id} by a ${kind} from ${begun} to ${ended}, gone by ${gone}`);
    if (ended < life.begun) report('seen too early', `${id} by a ${kind} until ${ended}, made from ${life.begun} on`);
  }
  for (const { triggered, by } of claims) {
    const same = claims.filter((claim) => claim.by === by && isPossible(claim.status));
    const first = Math.min(...same.map(({ begun }) => begun));
    if (triggered && first > gone) report('triggered when gone', `${id} by ${by} from ${first} on, gone by ${gone}`);
  }
  for (const { kind, begun, ended } of life.absent)
    if (life.mayGo >= ended)
      report('missing', `${id} to a ${kind} from ${begun} to ${ended}, though nothing had removed it`);
}

/**
 * @param {string} id
 * @param {Life} life
 * @param {Report} report
 */
function checkTriggers(id, life, report) {
  const { claims, cancels } = life;
  const winners = new Set(claims.flatMap(({ triggered, by }) => (triggered ? (by ?? '') : [])));
  if (winners.size > 1) report('triggered twice', `${id} by ${[...winners].join(' and ')}`);
  if (cancels.length > 1) report('cancelled twice', `${id}, until ${cancels.map(({ ended }) => ended).join(' and ')}`);
  if (winners.size > 0 && cancels.length > 0)
    report('cancelled and triggered', `${id} by ${[...winners].join(' and ')}, cancelled by ${cancels[0]?.ended}`);
  for (const { status, triggered, begun, ended, by } of claims) {
    if (status !== 200 || triggered) continue;
    const couldWin = begun > life.ended && ended < life.conditional && ended <= life.mayGo;
    if (couldWin) report('claim rejected', `${id} to ${by} from ${begun} to ${ended}, although no other claim had won`);
    if (claims.some((claim) => claim.by === by && claim.triggered && claim.ended < begun))
      report('claim forgotten', `${id}: ${by} had won it, and was rejected from ${begun} to ${ended}`);
  }
}

/**
 * @param {string} id
 * @param {Life} life
 * @param {Row | undefined} row
 * @param {Report} report
 */
function checkEnd(id, life, row, report) {
  const won = life.claims.filter(({ triggered }) => triggered);
  if (!row) {
    report('creation lost', `${id} was made between ${life.begun} and ${life.ended}`);
    return;
  }
  if ((row.at === null) !== (row.interaction_id === null) || (row.at !== null && row.removed_at !== null))
    report('half triggered', `${id} at ${row.at}, interaction ${row.interaction_id}, removed ${row.removed_at}`);
  if (row.at !== null) {
    const possible = won.length > 0 ? won : life.claims.filter(({ status }) => status === undefined);
    if (life.cancels.length > 0) report('cancelled and triggered', `${id} at ${row.at}`);
    else if (!possible.some(({ href }) => href === row.at_href))
      report('triggered without a claim', `${id} on ${row.at_href}, claimed on ${possible.map(({ href }) => href)}`);
  } else if (won.length > 0) report('trigger lost', `${id}, won by ${won[0]?.by}`);
  else if (row.removed_at === null && life.mustGo < Number.POSITIVE_INFINITY)
    report('removal lost', `${id} is pending, though it was gone by ${life.mustGo}`);
  else if (row.removed_at !== null && life.mayGo === Number.POSITIVE_INFINITY) report('removed without a reason', id);
}

import { parseArgs } from 'node:util';
import { runFigures } from '../bench/harness.mjs';
import { attacks } from './figures/attacks.mjs';
import { backupUnderLoad } from './figures/backup.mjs';
import { compactUnderLoad } from './figures/compact.mjs';
import { deliveriesAtRandom } from './figures/deliveries.mjs';
import { fullDisk } from './figures/disk.mjs';
import { wrongExperiments } from './figures/experiments.mjs';
import { killUnderLoad } from './figures/kill.mjs';
import { killHalfWritten } from './figures/kill-writes.mjs';
import { mergesWithRaces } from './figures/merges.mjs';
import { moveKilled } from './figures/move.mjs';
import { moveEngines } from './figures/move-engines.mjs';
import { silentNetwork } from './figures/network.mjs';
import { numbersAgainstSql } from './figures/numbers.mjs';
import { soak } from './figures/soak.mjs';
import { syncWithoutLoss } from './figures/sync.mjs';
import { rollingUpgrade, stopUnderLoad } from './figures/upgrade.mjs';
import { webhooksKilled } from './figures/webhooks.mjs';

/*
 * npm run reliability                          everything, on both engines; three minutes of soak on each
 * npm run reliability -- --engine sqlite       without PostgreSQL
 * npm run reliability -- deliveries            the figures whose name contains this (also: --only deliveries)
 * npm run reliability -- merges                10,000 sign-ins of users who were anonymous, while their pages go on
 * npm run reliability -- move.engines          usher move to the other engine and back, killed on the way
 * npm run reliability -- disk                  a disk that fills up under load; needs root, to mount a small one
 * npm run reliability -- attacks               what an attacker can do to a server with its default settings
 * npm run reliability -- attacks --attack count    only the attacks whose name contains this
 * npm run reliability -- network               the network to PostgreSQL breaks without a sign (root, ip and iptables)
 * npm run reliability -- --quick               a short run, to see whether it works
 * npm run reliability -- --operations 10000 --seed 7    options of `deliveries`
 * npm run reliability -- soak --engine sqlite --minutes 3 --rate 200      an hour at half load, if it is named and these are not given
 * npm run reliability -- upgrade --from v1.2.0                 two versions side by side, and SIGTERM under load
 * npm run reliability -- experiments --seed 7                  simulated experiments that somebody looks at every day
 * npm run reliability -- numbers --people 1000000 --events 10000000 --seed 7    options of `numbers`
 */
const options = takeOptions();
/** A run of everything takes a short soak. An hour on each engine is only for a run that names it. */
const soakMinutes = process.argv.slice(2).some((word) => word.includes('soak')) ? 60 : 3;
await runFigures({
  kill: strict(killUnderLoad),
  'kill.writes': strict(killHalfWritten),
  disk: strict(fullDisk),
  deliveries: strict(deliveriesAtRandom(options)),
  webhooks: strict(webhooksKilled),
  merges: strict(mergesWithRaces(options)),
  move: strict(moveKilled),
  'move.engines': strict(moveEngines),
  sync: strict(syncWithoutLoss),
  backup: strict(backupUnderLoad),
  compact: strict(compactUnderLoad),
  network: strict(silentNetwork),
  attacks: strict(attacks(options)),
  numbers: strict(numbersAgainstSql(options)),
  experiments: strict(wrongExperiments(options)),
  soak: strict(soak({ ...options, usualMinutes: soakMinutes })),
  upgrade: strict(rollingUpgrade(options)),
  'upgrade.stop': strict(stopUnderLoad),
});

/** Removes the options of single figures from the command line. All figures share the remaining ones. */
function takeOptions() {
  const names = ['operations', 'seed', 'people', 'events', 'minutes', 'rate', 'from', 'attack'];
  const { values, tokens } = parseArgs({
    strict: false,
    tokens: true,
    options: Object.fromEntries(names.map((name) => [name, { type: /** @type {const} */ ('string') }])),
  });
  const taken = new Set();
  for (const token of tokens) {
    if (token.kind !== 'option' || !names.includes(token.name)) continue;
    taken.add(token.index);
    if (token.inlineValue === false) taken.add(token.index + 1);
  }
  const rest = process.argv.slice(2).filter((_, index) => !taken.has(index));
  process.argv.splice(2, process.argv.length, ...rest);
  return {
    operations: toNumber('operations', values.operations),
    seed: toNumber('seed', values.seed),
    people: toNumber('people', values.people),
    events: toNumber('events', values.events),
    minutes: toNumber('minutes', values.minutes),
    rate: toNumber('rate', values.rate),
    from: values.from === undefined ? undefined : String(values.from),
    attack: values.attack === undefined ? undefined : String(values.attack),
  };
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function toNumber(name, value) {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(String(value)) && Number(value) > 0) return Number(value);
  console.error(`--${name} must be a whole number of 1 or more, not ${value}`);
  process.exit(1);
}

/**
 * Makes the run fail if one result misses its target.
 * @param {(bench: import('../bench/harness.mjs').Bench) => Promise<import('../bench/harness.mjs').Result[]>} measure
 */
function strict(measure) {
  return async (/** @type {import('../bench/harness.mjs').Bench} */ bench) => {
    const results = await measure(bench);
    if (results.some(({ value, target }) => value > (target?.most ?? value) || value < (target?.least ?? value)))
      process.once('exit', () => {
        process.exitCode = 1;
      });
    return results;
  };
}

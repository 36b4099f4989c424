import { codeOf, isInRanges, NO_CHARACTER, WORD } from './code-points.ts';
import type { CharClass, RegexNode } from './regex-parser.ts';

/** The work that a match may still take. A step visits one state. */
export interface StepBudget {
  left: number;
}

const CARET = codeOf('^');
const DOLLAR = codeOf('$');
const SMALL_B = codeOf('b');

/** How many states a pattern compiles to. A repetition of nothing counts as a state. */
export function countStates(tree: RegexNode): number {
  if (tree.is === 'sequence') return tree.of.reduce((sum, part) => sum + countStates(part), 0);
  if (tree.is === 'choice') return tree.of.reduce((sum, part) => sum + countStates(part) + 2, -2);
  if (tree.is !== 'repeat') return 1;
  const size = Math.max(countStates(tree.of), 1);
  return tree.min * size + (tree.max === Infinity ? size + 2 : (tree.max - tree.min) * (size + 1));
}

/* The kinds of states: match a character, fork into two threads, jump to a state, or test an assertion. */
const CLASS = 0;
const FORK = 1;
const JUMP = 2;
const ASSERTION = 3;

interface Program {
  kinds: Uint8Array;
  /** The index of a class, the target of a fork or jump, or the character code of an assertion. */
  args: Int32Array;
  length: number;
  classes: readonly CharClass[];
  ignoreCase: boolean;
  /* The buffers of a run are allocated once, because a pattern is tested with every page load. */
  seen: Int32Array;
  classResults: Int32Array;
  threads: Int32Array;
  nextThreads: Int32Array;
  generation: number;
}

/** Writes each state once, so the time is proportional to the number of states. */
export function compileProgram(tree: RegexNode, states: number, ignoreCase: boolean): Program {
  const kinds = new Uint8Array(states);
  const args = new Int32Array(states);
  const classes: CharClass[] = [];
  let length = 0;
  const add = (kind: number, arg: number) => {
    kinds[length] = kind;
    args[length] = arg;
    return length++;
  };
  const addOptional = (part: RegexNode) => {
    const fork = add(FORK, 0);
    addAll(part);
    args[fork] = length;
  };
  const addLoop = (part: RegexNode) => {
    const fork = add(FORK, 0);
    addAll(part);
    add(JUMP, fork);
    args[fork] = length;
  };
  const addChoice = (parts: readonly RegexNode[]) => {
    const jumps: number[] = [];
    for (const [at, part] of parts.entries()) {
      if (at === parts.length - 1) addAll(part);
      else {
        const fork = add(FORK, 0);
        addAll(part);
        jumps.push(add(JUMP, 0));
        args[fork] = length;
      }
    }
    for (const jump of jumps) args[jump] = length;
  };
  const addAll = (part: RegexNode): void => {
    if (part.is === 'sequence') for (const inner of part.of) addAll(inner);
    else if (part.is === 'choice') addChoice(part.of);
    else if (part.is === 'assertion') add(ASSERTION, codeOf(part.what));
    else if (part.is === 'class') {
      classes[part.id] = part;
      add(CLASS, part.id);
    } else {
      for (let count = 0; count < part.min; count++) addAll(part.of);
      if (part.max === Infinity) addLoop(part.of);
      else for (let count = part.min; count < part.max; count++) addOptional(part.of);
    }
  };
  addAll(tree);
  const allocate = () => new Int32Array(length + 1);
  return {
    kinds,
    args,
    length,
    classes,
    ignoreCase,
    seen: allocate(),
    classResults: new Int32Array(classes.length),
    threads: allocate(),
    nextThreads: allocate(),
    generation: 0,
  };
}

/** Visits every state at most once for each character, so states × characters bounds the steps. */
export function runProgram(program: Program, text: string, steps: StepBudget): boolean {
  const { kinds, args, length, seen, classResults } = program;
  const onlyAtStart = kinds[0] === ASSERTION && args[0] === CARET && length > 0;
  let { threads, nextThreads } = program;
  let count = 0;
  let left = steps.left;
  let before = NO_CHARACTER;
  let found = false;
  for (let at = 0; left >= 0 && !found; ) {
    const generation = nextGeneration(program);
    const point = text.codePointAt(at) ?? NO_CHARACTER;
    let nextCount = 0;
    left--;
    for (let index = 0; index < count; index++) seen[threads[index] as number] = generation;
    if (at === 0 || !onlyAtStart) count = addThread(threads, count, seen, 0, generation);
    while (count > 0 && left >= 0) {
      const state = threads[--count] as number;
      if (state === length) {
        found = true;
        break;
      }
      left--;
      const arg = args[state] as number;
      switch (kinds[state]) {
        case FORK:
          count = addThread(threads, count, seen, state + 1, generation);
          count = addThread(threads, count, seen, arg, generation);
          break;
        case JUMP:
          count = addThread(threads, count, seen, arg, generation);
          break;
        case ASSERTION:
          if (assertionHolds(arg, before, point)) count = addThread(threads, count, seen, state + 1, generation);
          break;
        default:
          if (Math.abs(classResults[arg] as number) !== generation) {
            classResults[arg] = classMatches(program.classes[arg] as CharClass, point, program.ignoreCase)
              ? generation
              : -generation;
          }
          if (classResults[arg] === generation) nextThreads[nextCount++] = state + 1;
      }
    }
    if (point === NO_CHARACTER || (onlyAtStart && nextCount === 0)) break;
    const used = threads;
    threads = nextThreads;
    nextThreads = used;
    count = nextCount;
    before = point;
    at += point > 0xffff ? 2 : 1;
  }
  steps.left = left;
  return found;
}

/** Each state has the generation in which it was last visited. The numbers start again before they overflow. */
function nextGeneration(program: Program): number {
  if (program.generation >= 0x7ffffff0) {
    program.seen.fill(0);
    program.classResults.fill(0);
    program.generation = 0;
  }
  return ++program.generation;
}

function addThread(threads: Int32Array, count: number, seen: Int32Array, state: number, generation: number): number {
  if (seen[state] === generation) return count;
  seen[state] = generation;
  threads[count] = state;
  return count + 1;
}

function assertionHolds(what: number, before: number, point: number): boolean {
  if (what === CARET) return before === NO_CHARACTER;
  if (what === DOLLAR) return point === NO_CHARACTER;
  return (isInRanges(WORD, before) !== isInRanges(WORD, point)) === (what === SMALL_B);
}

/** Ignoring case compares the character, its lower case and its upper case: not all forms of letters with more than two. */
function classMatches({ ranges, negated }: CharClass, point: number, ignoreCase: boolean): boolean {
  if (point === NO_CHARACTER) return false;
  if (isInRanges(ranges, point) || !ignoreCase) return isInRanges(ranges, point) !== negated;
  const char = String.fromCodePoint(point);
  const others = [char.toLowerCase(), char.toUpperCase()].filter((other) => [...other].length === 1);
  return others.some((other) => isInRanges(ranges, codeOf(other))) !== negated;
}

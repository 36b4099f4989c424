import { findPeopleProblems, type ResultPeople } from '@usher/domain';
import { invalid } from '../../../errors.ts';

export function checkPeople(params: ResultPeople): void {
  const problems = findPeopleProblems(params);
  if (problems.length > 0) throw invalid(...problems);
}

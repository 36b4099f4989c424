import { buildDashboardIfNeeded } from '../../server/build.js';

/** The tests use a build that has the page of all parts. */
export default () => buildDashboardIfNeeded('test');

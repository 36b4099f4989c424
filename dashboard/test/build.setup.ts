import { buildDashboardIfNeeded } from '../../server/build.js';

/** The tests use a build with the page of all components. */
export default () => buildDashboardIfNeeded('test');

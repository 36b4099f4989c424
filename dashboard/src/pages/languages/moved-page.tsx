import { Redirect } from 'wouter';

/** The page was among the settings before. */
export default function MovedPage() {
  return <Redirect to="/app/languages" replace />;
}

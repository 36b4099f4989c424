export default function PartsPage() {
  return <main>parts</main>;
}

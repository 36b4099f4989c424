/* What the elements of the pages say: a name in the code, English, English after a change, and German. */

/** @typedef {{ name: string, texts: { en: string, changed: string, de: string } }} Words */

/** @param {string} table @returns {Words[]} */
const read = (table) =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', en = '', changed = '', de = ''] = line.trim().split('|');
      return { name, texts: { en, changed, de } };
    });

export const actions = read(`
  save-changes|Save changes|Save|Änderungen speichern
  save-draft|Save draft|Keep as draft|Entwurf speichern
  create-project|New project|Create a project|Neues Projekt
  invite-members|Invite members|Add people|Mitglieder einladen
  export-report|Export|Download report|Exportieren
  import-data|Import data|Upload data|Daten importieren
  filter-list|Filter|Refine|Filtern
  sort-list|Sort by|Order|Sortieren
  share-link|Share|Copy link|Teilen
  duplicate-item|Duplicate|Make a copy|Duplizieren
  archive-item|Archive|Put away|Archivieren
  delete-item|Delete|Remove|Löschen
  refresh-data|Refresh|Reload|Aktualisieren
  connect-account|Connect account|Link account|Konto verbinden
  start-trial|Start free trial|Try for free|Kostenlos testen
  upgrade-plan|Upgrade|Change plan|Tarif wechseln
  print-page|Print|Print this page|Drucken
  undo-change|Undo|Take back|Rückgängig`);

export const sections = read(`
  dashboard|Dashboard|Home|Übersicht
  projects|Projects|Your projects|Projekte
  reports|Reports|Analytics|Berichte
  customers|Customers|Clients|Kunden
  billing|Billing|Plans and billing|Abrechnung
  settings|Settings|Preferences|Einstellungen
  integrations|Integrations|Apps|Integrationen
  inbox|Inbox|Messages|Posteingang
  calendar|Calendar|Schedule|Kalender
  team|Team|People|Mitarbeiter
  documents|Documents|Files|Dokumente
  invoices|Invoices|Bills|Rechnungen
  support|Support|Help|Hilfe
  security|Security|Sign-in and security|Sicherheit
  activity|Activity|History|Verlauf
  products|Products|Catalog|Produkte`);

export const fields = read(`
  email|Email address|Work email|E-Mail-Adresse
  full-name|Full name|Your name|Vollständiger Name
  company|Company|Organization|Firma
  phone|Phone number|Telephone|Telefonnummer
  website|Website|Web address|Webseite
  password|Password|Choose a password|Passwort
  country|Country|Country or region|Land
  time-zone|Time zone|Your time zone|Zeitzone
  budget|Monthly budget|Budget|Monatsbudget
  description|Description|What is it about|Beschreibung
  job-title|Job title|Role|Berufsbezeichnung
  newsletter|Send me news|Subscribe to the newsletter|Neuigkeiten erhalten`);

export const records = read(`
  acme|Acme Rockets|Acme Rockets|Acme Rockets
  birch|Birch & Sons|Birch & Sons|Birch & Sons
  cobalt|Cobalt Labs|Cobalt Labs|Cobalt Labs
  delta|Delta Foods|Delta Foods|Delta Foods
  ember|Emberline|Emberline|Emberline
  fjord|Fjord Travel|Fjord Travel|Fjord Travel
  granite|Granite Bank|Granite Bank|Granite Bank
  harbor|Harbor Freight|Harbor Freight|Harbor Freight
  ivory|Ivory Keys|Ivory Keys|Ivory Keys
  juniper|Juniper Health|Juniper Health|Juniper Health`);

export const icons = read(`
  notifications|Notifications|Alerts|Benachrichtigungen
  help-center|Help center|Get help|Hilfe öffnen
  user-menu|Account menu|Your account|Kontomenü
  close-panel|Close|Dismiss|Schließen
  more-options|More options|More|Weitere Optionen
  toggle-theme|Dark mode|Change theme|Dunkles Design`);

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * Usage: node match-requests.mjs <folder of the extension> <requests as JSON>
 *
 * Asks the engine of uBlock Origin, with the lists in its package, which requests it would block. Prints the filter of each, or null.
 * It is a program of its own, because the extension has another license: nothing of it is part of Usher.
 */

const [folder = '', requests = '[]'] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(join(folder, file)).href);
const { default: engine } = await load('js/static-net-filtering.js');
const { FilteringContext } = await load('js/filtering-context.js');
const { CompiledListReader, CompiledListWriter } = await load('js/static-filtering-io.js');
const { AstFilterParser, utils } = await load('js/static-filtering-parser.js');
const { default: publicSuffixList } = await load('lib/publicsuffixlist/publicsuffixlist.js');
const { default: punycode } = await load('lib/punycode.js');

const assets = join(folder, 'assets');
const suffixes = readFileSync(join(assets, 'thirdparties/publicsuffix.org/list/effective_tld_names.dat'), 'utf8');
publicSuffixList.parse(suffixes, punycode.toASCII);

const writer = new CompiledListWriter();
const parser = new AstFilterParser();
const compiler = engine.createCompiler();
compiler.start(writer);
// The last list only warns of other lists.
const lists = readdirSync(assets, { recursive: true }).filter(
  (name) => /\.txt$/.test(name) && !name.endsWith('badlists.txt'),
);
for (const name of lists)
  for (const line of utils.preparser.prune(readFileSync(join(assets, name), 'utf8'), ['ext_chromium']).split('\n')) {
    parser.parse(line);
    if (parser.isFilter() && parser.isNetworkFilter()) compiler.compile(parser, writer);
  }
compiler.finish(writer);
engine.reset();
engine.fromCompiled(new CompiledListReader(writer.toString()));
engine.freeze();

const BLOCKED = 1;
const results = JSON.parse(requests).map(({ url, type, method, page }) => {
  const context = new FilteringContext();
  context.setDocOriginFromURL(page);
  context.setURL(url);
  context.setType(type);
  context.setMethod(method.toLowerCase());
  return engine.matchRequest(context) === BLOCKED ? engine.toLogData().raw : null;
});
console.log(JSON.stringify({ filters: engine.getFilterCount(), results }));

/** How a server is made of a Go module. */
export type Recipe = {
  readonly module: string;
  /** The checksum database of Go vouches for the sources of exactly this version, and they for those of what they need. */
  readonly version: string;
  /** Program → its package within the module. */
  readonly programs: Readonly<Record<string, string>>;
  readonly tags?: string;
  /** More for the linker. */
  readonly linker?: string;
  /** SQLite is C. */
  readonly cgo?: boolean;
  /** Files that the makers' own build generates (web pages) and the program has to embed; nothing here looks at them. */
  readonly stubs?: Readonly<Record<string, string>>;
  /** Folders the program reads at run time. */
  readonly keep?: readonly string[];
};

/** Reads JSON objects, one a line, and prints the status that kstatus gives each. */
const kstatusProgram = `package main

import (
	"bufio"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		object := unstructured.Unstructured{}
		if err := object.UnmarshalJSON(lines.Bytes()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		result, err := status.Compute(&object)
		if err != nil {
			fmt.Println("Error: " + err.Error())
			continue
		}
		fmt.Println(result.Status.String() + ": " + result.Message)
	}
	if err := lines.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`;

/** Server → recipe. `test/servers/README.md` says what each proves, and what could not be had. */
export const recipes = {
  gotify: {
    module: 'github.com/gotify/server/v2',
    version: 'v2.6.1',
    programs: { gotify: '.' },
    cgo: true,
    stubs: {
      'ui/build/index.html': '<html></html>\n',
      'ui/build/manifest.json': '{}\n',
      'ui/build/asset-manifest.json': '{}\n',
    },
  },
  mox: { module: 'github.com/mjl-/mox', version: 'v0.0.15', programs: { mox: '.' } },
  goalert: {
    module: 'github.com/target/goalert',
    version: 'v0.34.1',
    programs: { goalert: './cmd/goalert' },
    stubs: { 'web/src/build/none': '' },
  },
  dendrite: {
    module: 'github.com/matrix-org/dendrite',
    version: 'v0.13.8',
    programs: { dendrite: './cmd/dendrite', 'generate-keys': './cmd/generate-keys' },
  },
  mattermost: {
    module: 'github.com/mattermost/mattermost-server/v6',
    version: 'v6.7.2',
    programs: { mattermost: './cmd/mattermost' },
    // Made for a Go that let its dependencies use what is private to the runtime.
    linker: '-checklinkname=0',
    keep: ['i18n', 'templates', 'fonts'],
  },
  /** No server: `test/tools` renders the chart with it. */
  // Of these only the definitions of their kinds, for the samples that are written in them.
  'argo-cd': { module: 'github.com/argoproj/argo-cd/v3', version: 'v3.2.0', programs: {}, keep: ['manifests/crds'] },
  'flux-kustomize': {
    module: 'github.com/fluxcd/kustomize-controller',
    version: 'v1.7.2',
    ...{ programs: {}, keep: ['config/crd/bases'] },
  },
  'flux-source': {
    module: 'github.com/fluxcd/source-controller',
    version: 'v1.7.0',
    ...{ programs: {}, keep: ['config/crd/bases'] },
  },
  /** No server: what signs images and files, and checks that. */
  cosign: { module: 'github.com/sigstore/cosign/v2', version: 'v2.6.5', programs: { cosign: './cmd/cosign' } },
  /** No server but `crane registry serve`: pushes, pulls and checks images; a release is rehearsed with it. */
  crane: {
    module: 'github.com/google/go-containerregistry',
    version: 'v0.21.9',
    programs: { crane: './cmd/crane' },
  },
  helm: { module: 'helm.sh/helm/v3', version: 'v3.19.0', programs: { helm: './cmd/helm' } },
  /** No server: the Lua of Argo CD. */
  'gopher-lua': { module: 'github.com/yuin/gopher-lua', version: 'v1.1.1', programs: { glua: './cmd/glua' } },
  /** No server: what checks a bundle for the Operator Lifecycle Manager. */
  'operator-verify': {
    module: 'github.com/operator-framework/api',
    version: 'v0.27.0',
    programs: { 'operator-verify': './cmd/operator-verify' },
  },
  /** No server: how kubectl apply sets, Flux and Config Sync read a status. The program is ours, the reading is theirs. */
  kstatus: {
    module: 'sigs.k8s.io/cli-utils',
    version: 'v0.37.2',
    programs: { kstatus: './cmd/tocsin-kstatus' },
    stubs: { 'cmd/tocsin-kstatus/main.go': kstatusProgram },
  },
  gitea: {
    module: 'code.gitea.io/gitea',
    version: 'v1.26.0',
    programs: { gitea: '.' },
    tags: 'sqlite sqlite_unlock_notify',
    cgo: true,
    keep: ['options', 'templates', 'public'],
  },
} as const satisfies Readonly<Record<string, Recipe>>;

/** A server that is built from a Go module. */
export type RecipeName = keyof typeof recipes;

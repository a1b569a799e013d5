/** What a project needs before its service can be started. */
interface SetUp {
  run?: string;
  /** The action that sets the language up at GitHub, and its inputs. */
  uses?: string;
  with?: Record<string, string>;
  /** What an image of Debian with Node lacks. */
  packages?: string;
}

const node = { uses: 'actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020', with: { 'node-version': '22' } };
const java = {
  uses: 'actions/setup-java@dded0888837ed1f317902acf8a20df0ad188d165',
  with: { distribution: 'temurin', 'java-version': '21' },
};
const python = {
  uses: 'actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065',
  with: { 'python-version': '3.13' },
  // Else Debian's pip installs into environments alone.
  packages: 'python3-pip python-is-python3 && export PIP_BREAK_SYSTEM_PACKAGES=1',
};
const go = {
  uses: 'actions/setup-go@d35c59abb061a4a6fb18e82ac0862c26744d6ab5',
  with: { 'go-version-file': 'go.mod' },
  packages: 'golang-go',
};

/** By the file that tells the language. The first that is there counts: any project may have a package.json for its tools. */
export const SET_UPS: Record<string, SetUp> = {
  'pom.xml': { ...java, packages: 'maven', run: 'mvn -B -q package -DskipTests' },
  gradlew: { ...java, packages: 'default-jdk-headless', run: './gradlew assemble' },
  'build.gradle': { ...java, packages: 'gradle', run: 'gradle assemble' },
  'go.mod': { ...go, run: 'go build ./...' },
  'requirements.txt': { ...python, run: 'pip install -r requirements.txt' },
  'pyproject.toml': { ...python, run: 'pip install .' },
  'composer.json': { packages: 'composer', run: 'composer install --no-interaction' },
  Gemfile: { packages: 'ruby-full build-essential', run: 'bundle install' },
  'Cargo.toml': { packages: 'cargo', run: 'cargo build' },
  'pnpm-lock.yaml': { ...node, run: 'corepack enable && pnpm install --frozen-lockfile' },
  'yarn.lock': { ...node, run: 'corepack enable && yarn install --immutable' },
  'package-lock.json': { ...node, with: { ...node.with, cache: 'npm' }, run: 'npm ci' },
  'package.json': { ...node, run: 'npm install' },
};

/** By the program that starts the service, where no file tells. */
export const BY_PROGRAM: Record<string, SetUp> = {
  java: { ...java, packages: 'default-jdk-headless' },
  python,
  python3: python,
  node,
};

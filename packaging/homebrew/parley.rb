# Unverified: nobody has installed this formula yet. TARBALL_URL and TARBALL_SHA256 are filled in at a release (docs/releasing.md).
class Parley < Formula
  desc "Terminal chat client with an embedded provider"
  url "TARBALL_URL"
  sha256 "TARBALL_SHA256"
  license "MIT"

  # Parley needs Node 24.15 or newer.
  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("lib/node_modules/parley-chat/dist/man/*.1")
    generate_completions_from_executable(bin/"parley", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    ENV["HOME"] = testpath
    assert_equal version.to_s, shell_output("#{bin}/parley --version").strip
    assert_match "parley", shell_output("#{bin}/parley help")
  end
end

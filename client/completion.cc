// SPDX-License-Identifier: Apache-2.0
#include "client/completion.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace fairsched::client {
namespace {

// What may stand behind the commands named in `path`, e.g. "user set".
struct Level {
  std::string path;
  std::vector<std::string> words;
};

std::vector<const CLI::App*> Commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

// Every command has --help, which would be there many times.
void AddOptions(const CLI::App& app, std::vector<std::string>& words) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->check_lname("help")) continue;
    for (const std::string& name : option->get_lnames()) {
      words.push_back(absl::StrCat("--", name));
    }
    for (const std::string& name : option->get_snames()) {
      words.push_back(absl::StrCat("-", name));
    }
  }
}

void AddLevels(const CLI::App& app, const std::string& path,
               std::vector<Level>& levels) {
  Level level{.path = path, .words = {}};
  for (const CLI::App* command : Commands(app)) {
    level.words.push_back(command->get_name());
  }
  for (const CLI::App* at = &app; at != nullptr; at = at->get_parent()) {
    AddOptions(*at, level.words);
  }
  levels.push_back(std::move(level));
  for (const CLI::App* command : Commands(app)) {
    AddLevels(*command,
              absl::StrCat(path, path.empty() ? "" : " ", command->get_name()),
              levels);
  }
}

std::string BashScript(const std::vector<Level>& levels) {
  std::string script =
      "# fairctl completion for bash: source it, or put it into\n"
      "# /usr/share/bash-completion/completions/fairctl\n"
      "_fairctl() {\n"
      "  local path='' word words=''\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    [[ $word == -* ]] || path=\"${path:+$path }$word\"\n"
      "  done\n"
      "  case $path in\n";
  // The longest paths first: "user set alice" must find "user set".
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    absl::StrAppend(&script, "    '", level->path, "'",
                    level->path.empty() ? "" : "*", ") words='",
                    absl::StrJoin(level->words, " "), "' ;;\n");
  }
  absl::StrAppend(&script,
                  "  esac\n"
                  "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
                  "\"${COMP_WORDS[COMP_CWORD]}\")\n"
                  "}\n"
                  "complete -F _fairctl fairctl\n");
  return script;
}

std::string ZshScript(const std::vector<Level>& levels) {
  return absl::StrCat(
      "autoload -U +X bashcompinit && bashcompinit\n",
      absl::StrReplaceAll(
          BashScript(levels),
          {{"# fairctl completion for bash: source it, or put "
            "it into\n"
            "# /usr/share/bash-completion/completions/fairctl\n",
            ""},
           {"mapfile -t COMPREPLY < <(compgen -W \"$words\" "
            "-- \"${COMP_WORDS[COMP_CWORD]}\")",
            "COMPREPLY=($(compgen -W \"$words\" -- "
            "\"${COMP_WORDS[COMP_CWORD]}\"))"}}));
}

std::string FishScript(const std::vector<Level>& levels) {
  std::string script =
      "# fairctl completion for fish: put it into\n"
      "# ~/.config/fish/completions/fairctl.fish\n"
      "complete -c fairctl -f\n";
  for (const Level& level : levels) {
    const std::string condition =
        level.path.empty()
            ? "__fish_use_subcommand"
            : absl::StrCat("__fish_seen_subcommand_from ",
                           level.path.substr(level.path.rfind(' ') + 1));
    absl::StrAppend(&script, "complete -c fairctl -n '", condition, "' -a '",
                    absl::StrJoin(level.words, " "), "'\n");
  }
  return script;
}

}  // namespace

std::string CompletionScript(const CLI::App& app, Shell shell) {
  std::vector<Level> levels;
  AddLevels(app, "", levels);
  switch (shell) {
    case Shell::kZsh:
      return ZshScript(levels);
    case Shell::kFish:
      return FishScript(levels);
    case Shell::kBash:
      break;
  }
  return BashScript(levels);
}

}  // namespace fairsched::client
